import Archive from 'lucide-react/icons/archive'
import SearchX from 'lucide-react/icons/search-x'
import type { Device } from '#shared/entities.ts'
import { Panel } from '../../components/panel.tsx'
import { isActive } from '../../lib/expiry.ts'
import { formatDay } from '../../lib/time.ts'

interface NoBackupsProps {
  device: Device | null
  filtered: boolean
  nowMs: number
  onClear: () => void
}

export function NoBackups({ device, filtered, nowMs, onClear }: NoBackupsProps) {
  if (filtered) {
    return (
      <Panel
        icon={SearchX}
        title="No backups match these filters"
        actions={
          <button type="button" className="button" onClick={onClear}>
            Clear filters
          </button>
        }
      />
    )
  }
  return (
    <Panel icon={Archive} title={device ? 'No backups for this device yet' : 'No backups yet'}>
      <p>{(device && withoutRecover(device, nowMs)) ?? 'Backups are started on the station.'}</p>
    </Panel>
  )
}

function withoutRecover({ subscriptions }: Device, nowMs: number): string | null {
  const recover = subscriptions.filter(({ offeringCode }) => offeringCode === 'Recover')
  if (recover.some((one) => isActive(one, nowMs))) return null
  const last = recover
    .map(({ endDate }) => endDate)
    .sort()
    .at(-1)
  return last
    ? `The Recover subscription of this device ended on ${formatDay(last)}.`
    : 'This device has no Recover subscription.'
}
