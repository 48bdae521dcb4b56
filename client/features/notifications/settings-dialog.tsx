import type { Preference } from '#shared/answers/notifications.ts'
import './style.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { NOTIFICATION_SETTINGS } from '#shared/messages.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Checkbox } from '../../ui/input/field.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { useSession } from '../session/session.ts'
import { EVENT_TYPES, readPreferences, savePreferences } from './api.ts'

export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const [loaded, setLoaded] = useState<Preference[] | null>(null)
  const [wanted, setWanted] = useState<Record<number, boolean>>({})

  const load = useEffectEvent(() =>
    readPreferences(user.id).then(setLoaded, () => {
      onClose()
      toasts.failed(NOTIFICATION_SETTINGS.loadFailed)
    })
  )
  useEffect(() => void load(), [])

  const now = (loaded ?? []).map((held) => ({
    ...held,
    subscribe: wanted[held.eventTypeId] ?? held.subscribe
  }))
  const differs = now.some(({ subscribe }, index) => subscribe !== loaded?.[index]?.subscribe)

  async function save() {
    await savePreferences(user.id, now)
    onClose()
    toasts.ok(NOTIFICATION_SETTINGS.saved)
  }

  return (
    <FormDialog
      title="Configure Notifications"
      saveLabel="Save"
      ready={differs}
      edited={differs}
      enter
      onSave={save}
      onClose={onClose}
      failureText={() => NOTIFICATION_SETTINGS.saveFailed}
    >
      <p className="modal-text">
        Choose what you want e-mail about. The bell in the portal shows everything.
      </p>
      {loaded === null ? (
        <Skeleton width="12rem" label="Loading your settings" />
      ) : (
        EVENT_TYPES.map(({ eventTypeId, label }) => (
          <Checkbox
            key={eventTypeId}
            kind="switch"
            label={label}
            checked={now.find((held) => held.eventTypeId === eventTypeId)?.subscribe ?? false}
            onChange={(subscribe) => setWanted({ ...wanted, [eventTypeId]: subscribe })}
          />
        ))
      )}
    </FormDialog>
  )
}
