import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ReactNode } from 'react'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { devicesAreSaved } from '../../../lib/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { ListFrame } from '../../../ui/list/list-frame.tsx'
import { RowCards } from '../../../ui/list/row-cards.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { useDevicesWithoutBackup } from './api.ts'

const LABEL = 'Devices without a backup in 30 days'
const SKELETON_ROWS = 6
/** The number of devices that are read if there are more. */
const FIRST = formatNumber(PAGE_SIZE_MAX)

/** Says which devices were checked, if not all of the customer. */
function checkedPart(projectId: string, complete: boolean): string {
  if (complete) return projectId && ' in this project'
  return ` among the first ${FIRST}${projectId && ' of this project'}`
}

export function DevicesWithoutBackup({ projectId, toolbar }: { projectId: string; toolbar: ReactNode }) {
  const { customerId, customerPath } = useCustomer()
  const { nowMs } = useSession()
  const load = useDevicesWithoutBackup(customerId, projectId, nowMs())
  const { data } = load
  const devices = data?.devices ?? []
  const noneSince = data?.noneSince ?? null
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
            title={devicesAreSaved(checkedPart(projectId, data?.complete ?? false))}
          />
        )
      }
    >
      <p className="muted list-note" role="status">
        {count(devices.length, 'device')} of {count(data?.checked ?? 0, 'device')} with Recover
        {data?.complete ? '' : ` (of the first ${FIRST})`}
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
              ) : noneSince ? (
                `none since ${formatDay(noneSince)}`
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
