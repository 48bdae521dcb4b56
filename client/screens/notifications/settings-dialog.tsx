import '../../style/notifications.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { NOTIFICATION_SETTINGS } from '#shared/messages.ts'
import { EVENT_TYPES, type Preference, readPreferences, savePreferences } from '../../api/notifications.ts'
import { Checkbox } from '../../components/field.tsx'
import { Modal } from '../../components/modal.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { toasts } from '../../lib/toasts.ts'
import { useSession } from '../../session/session.ts'

/** §4: Save only when something differs from what was loaded. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const [loaded, setLoaded] = useState<Preference[] | null>(null)
  const [wanted, setWanted] = useState<Record<number, boolean>>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const load = useEffectEvent(() => {
    let gone = false
    readPreferences(user.id).then(
      (preferences) => gone || setLoaded(preferences),
      () => {
        if (gone) return
        onClose()
        toasts.failed(NOTIFICATION_SETTINGS.loadFailed)
      }
    )
    return () => {
      gone = true
    }
  })
  useEffect(() => load(), [])

  const now = (loaded ?? []).map((held) => ({
    ...held,
    subscribe: wanted[held.eventTypeId] ?? held.subscribe
  }))
  const differs = now.some(({ subscribe }, index) => subscribe !== loaded?.[index]?.subscribe)

  async function save() {
    if (!differs || busy) return
    setBusy(true)
    setFailure(null)
    try {
      await savePreferences(user.id, now)
      onClose()
      toasts.ok(NOTIFICATION_SETTINGS.saved)
    } catch {
      setFailure(NOTIFICATION_SETTINGS.saveFailed)
      setBusy(false)
    }
  }

  return (
    <Modal title="Configure Notifications" onClose={() => busy || onClose()} onEnter={() => void save()}>
      <div className="modal-body" aria-busy={loaded === null}>
        <p className="modal-text">
          Choose what you want e-mail about. The bell in the portal tells everything.
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
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="modal-actions">
        <button type="button" className="button" aria-disabled={busy} onClick={() => busy || onClose()}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={!differs || busy}
          aria-busy={busy}
          onClick={() => void save()}
        >
          Save
        </button>
      </div>
    </Modal>
  )
}
