import BellOff from 'lucide-react/icons/bell-off'
import BellRing from 'lucide-react/icons/bell-ring'
import { useState } from 'react'
import { formatClock } from '../../../lib/time/time.ts'
import { BANDS } from '../priorities/bands.ts'
import { NotifyDialog } from './notify-dialog.tsx'
import { isMuted, isOn, useNotificationSettings } from './settings.ts'

/** Says from which priority on new alarms are reported, and opens the settings. */
export function NotifyButton() {
  const settings = useNotificationSettings()
  const [isOpen, setOpen] = useState(false)
  const nowMs = Date.now()
  const isReporting = isOn(settings) && !isMuted(settings, nowMs)
  const band = BANDS.find(({ id }) => id === settings.from)?.label ?? ''
  const state = isReporting
    ? `from ${band}`
    : isOn(settings)
      ? `muted until ${formatClock(settings.mutedUntilMs, nowMs)}`
      : 'off'
  return (
    <>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {isReporting ? <BellRing /> : <BellOff />}
        <span>
          Notify me <span className="muted">{state}</span>
        </span>
      </button>
      {isOpen && <NotifyDialog onClose={() => setOpen(false)} />}
    </>
  )
}
