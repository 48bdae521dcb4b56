import Archive from 'lucide-react/icons/archive'
import type { Device } from '#shared/entities.ts'
import { formatDay } from '../../lib/time/time.ts'
import { Panel } from '../../ui/state/panel.tsx'
import { isActive } from '../devices/service-links/device-services.ts'

/** @param device the one that the list is about; null for all */
export function NoBackups({ device, nowMs }: { device: Device | null; nowMs: number }) {
  return (
    <Panel
      icon={Archive}
      headingLevel={3}
      title={device ? 'No backups for this device yet' : 'No backups yet'}
    >
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
