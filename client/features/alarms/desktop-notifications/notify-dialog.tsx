import { useState } from 'react'
import { formatClock } from '../../../lib/time/time.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { Checkbox, SelectField } from '../../../ui/input/field.tsx'
import { BANDS } from '../priorities/bands.ts'
import {
  changeSettings,
  type FromPriority,
  isMuted,
  tomorrowMs,
  useNotificationSettings
} from './settings.ts'
import { playTones } from './tones.ts'

const HOUR_MS = 3_600_000

/** Settings of this browser. They apply at once. */
export function NotifyDialog({ onClose }: { onClose: () => void }) {
  const settings = useNotificationSettings()
  const nowMs = Date.now()
  return (
    <Modal title="Notify me of new alarms" onClose={onClose}>
      <div className="modal-body">
        <p className="modal-text">
          For the alarms of all customers that you may see, on every page, while the portal is open in a tab
          of this browser.
        </p>
        <SelectField
          label="From priority"
          value={settings.from}
          onChange={(from) => changeSettings({ from: from as FromPriority })}
          options={BANDS.map(({ id, label, to }) => ({ value: id, label: `${label} (1 to ${to})` }))}
        />
        <DesktopSwitch />
        <Checkbox
          kind="switch"
          label="Sound"
          checked={settings.sound}
          onChange={(sound) => {
            changeSettings({ sound })
            if (sound) playTones()
          }}
        />
        <div className="row">
          {isMuted(settings, nowMs) ? (
            <>
              <p role="status">Muted until {formatClock(settings.mutedUntilMs, nowMs)}.</p>
              <button type="button" className="button" onClick={() => changeSettings({ mutedUntilMs: 0 })}>
                Unmute
              </button>
            </>
          ) : (
            <>
              <button
                type="button"
                className="button"
                onClick={() => changeSettings({ mutedUntilMs: Date.now() + HOUR_MS })}
              >
                Mute for an hour
              </button>
              <button
                type="button"
                className="button"
                onClick={() => changeSettings({ mutedUntilMs: tomorrowMs(Date.now()) })}
              >
                Mute until tomorrow
              </button>
            </>
          )}
        </div>
      </div>
      <div className="row modal-actions">
        <button type="button" className="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  )
}

type Permission = NotificationPermission | 'unavailable'

const permissionNow = (): Permission =>
  typeof Notification === 'undefined' ? 'unavailable' : Notification.permission

const REASONS: Partial<Record<Permission, string>> = {
  denied: 'Your browser blocks notifications of this page. Allow them in its settings for this page.',
  unavailable: 'This browser has no notifications for this address.'
}

/** Asks for the browser's permission when the person switches desktop notifications on. */
function DesktopSwitch() {
  const { desktop } = useNotificationSettings()
  const [permission, setPermission] = useState(permissionNow)
  async function change(isWanted: boolean) {
    if (!isWanted) return changeSettings({ desktop: false })
    const answer = permission === 'default' ? await Notification.requestPermission() : permission
    setPermission(answer)
    if (answer === 'granted') changeSettings({ desktop: true })
  }
  const reason = REASONS[permission]
  return (
    <>
      <Checkbox
        kind="switch"
        label="Desktop notifications"
        checked={desktop && permission === 'granted'}
        onChange={(isWanted) => void change(isWanted)}
      />
      {reason && (
        <p className="muted" role="status">
          {reason}
        </p>
      )}
    </>
  )
}
