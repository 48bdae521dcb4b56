import BellOff from 'lucide-react/icons/bell-off'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { Device } from '#shared/entities.ts'
import { NoMatch } from '../../../ui/list/list-card.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { isActive } from '../../devices/service-links/device-services.ts'
import { PRESETS, type Preset } from '../alarm.ts'

interface NoAlarmsProps {
  preset: Preset
  filtered: boolean
  device: Device | null
  nowMs: number
  onClear: () => void
  /** To any time; null when that is what was asked for. */
  onWiden: (() => void) | null
}

export function NoAlarms({ preset, filtered, device, nowMs, onClear, onWiden }: NoAlarmsProps) {
  if (filtered) return <NoMatch title="No alarms match these filters" onClear={onClear} />
  const inactive =
    device !== null && !device.subscriptions.some((one) => one.offeringCode === 'NDS' && isActive(one, nowMs))
  if (inactive)
    return <Panel icon={BellOff} headingLevel={3} title="Data Services is not active on this device" />
  return (
    <Panel
      icon={CircleCheck}
      headingLevel={3}
      title={
        preset === 'action' ? 'No alarms need action' : `No alarms: ${PRESETS[preset].label.toLowerCase()}`
      }
      actions={
        onWiden && (
          <button type="button" className="button" onClick={onWiden}>
            Look at any time
          </button>
        )
      }
    />
  )
}
