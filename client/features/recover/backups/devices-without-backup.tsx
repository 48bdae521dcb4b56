import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ReactNode } from 'react'
import { count } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { ListFrame } from '../../../ui/list/list-frame.tsx'
import { RowCards } from '../../../ui/list/row-cards.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { useDevicesWithoutBackup } from './api.ts'

const LABEL = 'Devices without a backup in 30 days'
const SKELETON_ROWS = 6

export function DevicesWithoutBackup({ projectId, toolbar }: { projectId: string; toolbar: ReactNode }) {
  const { customerId, customerPath } = useCustomer()
  const { nowMs } = useSession()
  const load = useDevicesWithoutBackup(customerId, nowMs())
  const { data } = load
  const devices = data?.devices.filter(({ device }) => !projectId || device.projectId === projectId) ?? []
  return (
    <ListFrame
      label={LABEL}
      load={load}
      size={SKELETON_ROWS}
      toolbar={toolbar}
      empty={
        devices.length === 0 && (
          <Panel
            icon={ShieldCheck}
            headingLevel={3}
            title="Every device with Recover has a good backup of the last 30 days"
          />
        )
      }
    >
      <p className="muted list-note" role="status">
        {count(devices.length, 'device')} of {count(data?.checked ?? 0, 'device')} with Recover
        {data?.complete ? '' : ' (of the first 1,000)'}
      </p>
      <RowCards
        label={LABEL}
        rows={devices}
        rowKey={({ device }) => device.deviceUuid}
        nameOf={({ device }) => device.deviceName}
        columns={[
          {
            id: 'device',
            header: 'Device',
            card: 'heading',
            cell: ({ device }) => (
              <PrefetchLink to={paths.savedBackups(customerPath, device.deviceUuid)}>
                {device.deviceName}
              </PrefetchLink>
            )
          },
          {
            id: 'hostId',
            header: 'Host ID',
            card: 'fact',
            cell: ({ device }) => <span className="mono">{device.hostId}</span>
          },
          {
            id: 'lastDate',
            header: 'Last good backup',
            card: 'fact',
            cell: ({ lastDate }) =>
              lastDate ? (
                <>
                  last <Timestamp iso={lastDate} as="day" />
                </>
              ) : (
                'none'
              )
          },
          { id: 'project', header: 'Project', value: ({ device }) => device.projectName ?? '–' },
          { id: 'location', header: 'Location', value: ({ device }) => device.location }
        ]}
      />
    </ListFrame>
  )
}
