import BellOff from 'lucide-react/icons/bell-off'
import CircleCheck from 'lucide-react/icons/circle-check'
import SearchX from 'lucide-react/icons/search-x'
import type { Device } from '#shared/entities.ts'
import { Panel } from '../../components/panel.tsx'
import { PRESETS, type Preset } from '../../lib/alarms.ts'
import { isActive } from '../../lib/expiry.ts'

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
  if (filtered) {
    return (
      <Panel
        icon={SearchX}
        title="No alarms match these filters"
        actions={
          <button type="button" className="button" onClick={onClear}>
            Clear filters
          </button>
        }
      />
    )
  }
  const inactive =
    device !== null && !device.subscriptions.some((one) => one.offeringCode === 'NDS' && isActive(one, nowMs))
  if (inactive) return <Panel icon={BellOff} title="Data Services is not active on this device" />
  return (
    <Panel
      icon={CircleCheck}
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
