import type { Preference } from '#shared/answers/notifications.ts'
import './style.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '../../../lib/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Checkbox } from '../../../ui/input/field.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { EVENT_TYPES, readPreferences, savePreferences } from './api.ts'
import { NOTIFICATION_SETTINGS } from './messages.ts'

export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const [savedSettings, setSavedSettings] = useState<Preference[] | null>(null)
  const [choices, setChoices] = useState<Record<number, boolean>>({})

  const load = useEffectEvent(() =>
    readPreferences(user.id).then(setSavedSettings, () => {
      onClose()
      toasts.failed(NOTIFICATION_SETTINGS.loadFailed)
    })
  )
  useEffect(() => void load(), [])

  const settings = (savedSettings ?? []).map((setting) => ({
    ...setting,
    subscribe: choices[setting.eventTypeId] ?? setting.subscribe
  }))
  const isChanged = settings.some(({ subscribe }, index) => subscribe !== savedSettings?.[index]?.subscribe)

  async function save() {
    await savePreferences(user.id, settings)
    onClose()
    toasts.ok(NOTIFICATION_SETTINGS.saved)
  }

  return (
    <FormDialog
      title="Configure Notifications"
      saveLabel="Save"
      ready={isChanged}
      edited={isChanged}
      enter
      onSave={save}
      onClose={onClose}
      failureText={() => NOTIFICATION_SETTINGS.saveFailed}
    >
      <p className="modal-text">
        Choose which e-mails you want to get. The bell in the portal shows all notifications.
      </p>
      {savedSettings === null ? (
        <Skeleton width="12rem" label="Loading your settings" />
      ) : (
        EVENT_TYPES.map(({ eventTypeId, label }) => (
          <Checkbox
            key={eventTypeId}
            kind="switch"
            label={label}
            checked={settings.find((setting) => setting.eventTypeId === eventTypeId)?.subscribe ?? false}
            onChange={(subscribe) => setChoices({ ...choices, [eventTypeId]: subscribe })}
          />
        ))
      )}
    </FormDialog>
  )
}
