import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ReactNode } from 'react'
import { failureOf } from '../../api/api-error.ts'
import { useUnsavedDevices } from '../../api/unsaved-devices.ts'
import { CardList } from '../../components/card-list.tsx'
import { ListCard } from '../../components/list-card.tsx'
import { Moment } from '../../components/moment.tsx'
import { Panel } from '../../components/panel.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { count } from '../../lib/format.ts'
import { paths } from '../../paths.ts'

interface DevicesWithoutBackupProps {
  customerId: string
  customerPath: string
  nowMs: number
  toolbar: ReactNode
}

/** Devices with Recover of which nothing good was saved for 30 days: what to look after first. */
export function DevicesWithoutBackup({
  customerId,
  customerPath,
  nowMs,
  toolbar
}: DevicesWithoutBackupProps) {
  const { data, error, busy, reload } = useUnsavedDevices(customerId, nowMs)
  return (
    <ListCard
      label="Devices without a backup in 30 days"
      loaded={data !== undefined}
      failure={error === undefined ? null : failureOf(error)}
      busy={busy}
      onReload={reload}
      toolbar={toolbar}
      empty={
        data?.devices.length === 0 && (
          <Panel icon={ShieldCheck} title="Every device with Recover was saved in the last 30 days" />
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
                value: <Moment iso={lastDate} nowMs={nowMs} none="None that is kept" />
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
