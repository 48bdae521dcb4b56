import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ReactNode } from 'react'
import { count } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { CardList } from '../../ui/list/card-list.tsx'
import { ListCard } from '../../ui/list/list-card.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Panel } from '../../ui/state/panel.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { useUnsavedDevices } from './unsaved-devices.ts'

/** As many as it takes the place of while it loads. */
const ROWS = 6

interface DevicesWithoutBackupProps {
  customerId: string
  customerPath: string
  nowMs: number
  /** Only of this project; empty for all. */
  projectId: string
  toolbar: ReactNode
}

/** Devices with Recover of which nothing good was saved for 30 days: what to look after first. */
export function DevicesWithoutBackup({
  customerId,
  customerPath,
  nowMs,
  projectId,
  toolbar
}: DevicesWithoutBackupProps) {
  const load = useUnsavedDevices(customerId, nowMs)
  const all = load.data
  const data = all && {
    ...all,
    devices: all.devices.filter(({ device }) => !projectId || device.projectId === projectId)
  }
  return (
    <ListCard
      label="Devices without a backup in 30 days"
      load={load}
      size={ROWS}
      toolbar={toolbar}
      empty={
        data?.devices.length === 0 && (
          <Panel
            icon={ShieldCheck}
            headingLevel={3}
            title="Every device with Recover was saved in the last 30 days"
          />
        )
      }
    >
      {data && (
        <>
          <p className="list-note" role="status">
            {count(data.devices.length, 'device')} of {count(data.looked, 'device')} with Recover
            {data.complete ? '' : ' (of the first 1,000)'}
          </p>
          <CardList
            label="Devices without a backup in 30 days"
            rows={data.devices}
            rowKey={({ device }) => device.deviceUuid}
            nameOf={({ device }) => device.deviceName}
            heading={({ device }) => (
              <PrefetchLink to={paths.savedBackups(customerPath, device.deviceUuid)}>
                {device.deviceName}
              </PrefetchLink>
            )}
            facts={({ device, lastDate }) => [
              { name: 'Host ID', value: <span className="mono">{device.hostId}</span> },
              {
                name: 'Last good backup',
                value: <Timestamp iso={lastDate} nowMs={nowMs} none="None that is kept" />
              }
            ]}
            more={({ device }) => [
              { name: 'Project', value: device.projectName ?? '–' },
              { name: 'Location', value: device.location }
            ]}
          />
        </>
      )}
    </ListCard>
  )
}
