import type { CustomerName, Device } from '#shared/answers/customers.ts'
import type { BackupRow, DeviceRow, PlanRow, ServiceRow } from '#shared/answers/worklists.ts'
import { END_SORT } from '#shared/devices.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import { daysUntil } from '#shared/terms.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { SUBSCRIPTIONS_UNREAD } from '../../../lib/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { unbroken } from '../../../ui/unbroken.tsx'
import {
  areSubscriptionsUnread,
  isActive,
  OFFERING_NAMES,
  soonestExpiry
} from '../devices/service-links/device-services.ts'
import { NearestEnd } from '../devices/service-links/service-links.tsx'
import { percentText } from '../usage/api.ts'

/** The links and the clock that the columns of every list over all customers use. */
export interface ListSetting {
  customerPathOf: (customer: Pick<CustomerName, 'id'>) => string
  nowMs: () => number
}

type NamedDevice = Pick<Device, 'deviceUuid' | 'deviceName' | 'hostId' | 'projectName'>

/** Customer, device and project: the first columns of each list. */
function deviceColumns<Row extends { customer: CustomerName }>(
  { customerPathOf }: ListSetting,
  deviceOf: (row: Row) => NamedDevice
): ListColumn<Row>[] {
  const linkTo = (row: Row) => {
    const { deviceUuid, deviceName } = deviceOf(row)
    return (
      <PrefetchLink to={paths.device(customerPathOf(row.customer), deviceUuid)}>
        {unbroken(deviceName)}
      </PrefetchLink>
    )
  }
  return [
    {
      id: 'customer',
      header: 'Customer',
      sort: 'customer',
      width: 10,
      value: ({ customer }) => customer.orgName,
      cell: ({ customer }) => (
        <PrefetchLink to={customerPathOf(customer)} state={{ orgName: customer.orgName }}>
          {customer.orgName}
        </PrefetchLink>
      ),
      card: { as: 'fact', cell: ({ customer }) => customer.orgName }
    },
    {
      id: 'deviceName',
      header: 'Device',
      sort: 'device',
      namesRow: true,
      alsoSorts: { id: 'hostId', header: 'Host ID' },
      width: 14.5,
      value: (row) => deviceOf(row).deviceName,
      cell: (row) => (
        <span className="stacked">
          {linkTo(row)}
          {deviceOf(row).hostId && <small className="mono">{deviceOf(row).hostId}</small>}
        </span>
      ),
      card: { as: 'heading', cell: linkTo }
    },
    {
      id: 'hostId',
      header: 'Host ID',
      sort: 'host ID',
      width: 14,
      value: (row) => deviceOf(row).hostId,
      table: 'on-demand',
      card: 'more'
    },
    {
      id: 'projectName',
      header: 'Project',
      sort: 'project',
      from: 'laptop',
      width: 11,
      value: (row) => deviceOf(row).projectName,
      cell: (row) => unbroken(deviceOf(row).projectName),
      card: 'fact'
    }
  ]
}

const deviceUuid = <Row,>(deviceOf: (row: Row) => NamedDevice): ListColumn<Row> =>
  fileColumn('Device UUID', (row) => deviceOf(row).deviceUuid)

const deviceOf = ({ device }: { device: NamedDevice }) => device

export function serviceColumns(setting: ListSetting): ListColumn<ServiceRow>[] {
  const daysLeft = ({ endDate }: ServiceRow) => daysUntil(Date.parse(endDate), setting.nowMs())
  return [
    ...deviceColumns<ServiceRow>(setting, deviceOf),
    {
      id: 'service',
      header: 'Service',
      sort: 'service',
      width: 7,
      value: ({ service }) => OFFERING_NAMES[service] ?? service,
      card: 'fact'
    },
    {
      id: 'endDate',
      header: 'Ends',
      sort: 'end',
      width: 7.5,
      whole: true,
      value: ({ endDate }) => endDate,
      cell: ({ endDate }) => <Timestamp iso={endDate} as="day" />,
      card: 'fact'
    },
    {
      id: 'daysLeft',
      header: 'Days left',
      width: 7,
      whole: true,
      align: 'end',
      value: daysLeft,
      cell: (row) => <DaysLeft days={daysLeft(row)} />,
      card: 'aside'
    },
    deviceUuid(deviceOf)
  ]
}

function DaysLeft({ days }: { days: number }) {
  if (days <= 0) return <span className="badge danger">{days === 0 ? 'Ended' : `Ended ${-days} d ago`}</span>
  const level = days <= EXPIRY_DANGER_DAYS ? 'danger' : days <= EXPIRY_WARNING_DAYS ? 'warn' : 'plain'
  return (
    <span className={`badge ${level}`}>
      <span aria-hidden="true">{days} d</span>
      <span className="sr-only">{count(days, 'day')} left</span>
    </span>
  )
}

export function planColumns(setting: ListSetting): ListColumn<PlanRow>[] {
  return [
    ...deviceColumns<PlanRow>(setting, deviceOf),
    {
      ...gigabytes('planLimit', 'Plan', ({ planLimit }) => planLimit),
      card: 'more',
      csv: 'Plan limit (GB)'
    },
    {
      ...gigabytes('used', 'Used', ({ used }) => used),
      card: {
        as: 'fact',
        cell: ({ used, planLimit }) => (
          <span className="unbroken">
            {gigabytesOf(used)} of {formatNumber(planLimit)} GB
          </span>
        )
      }
    },
    {
      id: 'percent',
      header: 'Of its plan',
      sort: 'usage',
      first: 'desc',
      width: 7,
      whole: true,
      align: 'end',
      value: ({ percent }) => percent,
      cell: ({ percent, level }) => (
        <span className={`badge ${level === 'exceeded' ? 'danger' : 'warn'}`}>{percentText(percent)}</span>
      ),
      card: 'aside',
      csv: 'Used (% of the plan limit)'
    },
    deviceUuid(deviceOf)
  ]
}

function gigabytes(id: string, header: string, value: (row: PlanRow) => number): ListColumn<PlanRow> {
  return {
    id,
    header,
    sort: header.toLowerCase(),
    first: 'desc',
    width: 6,
    whole: true,
    align: 'end',
    value,
    cell: (row) => `${gigabytesOf(value(row))} GB`,
    csv: `${header} (GB)`
  }
}

const gigabytesOf = (value: number) => formatNumber(Math.round(value * 100) / 100)

export function backupColumns(setting: ListSetting): ListColumn<BackupRow>[] {
  return [
    ...deviceColumns<BackupRow>(setting, deviceOf),
    {
      id: 'lastBackup',
      header: 'Last good backup',
      sort: 'last good backup',
      width: 10,
      whole: true,
      value: ({ lastBackup }) => lastBackup,
      cell: lastBackupOf,
      card: 'fact'
    },
    fileColumn('None since', ({ noneSince }) => noneSince),
    deviceUuid(deviceOf)
  ]
}

function lastBackupOf({ lastBackup, noneSince }: BackupRow) {
  if (lastBackup !== null) return <Timestamp iso={lastBackup} as="day" />
  return noneSince === null ? 'Never' : `None since ${formatDay(noneSince)}`
}

export function allDeviceColumns(setting: ListSetting): ListColumn<DeviceRow>[] {
  const deviceOfRow = (device: DeviceRow) => device
  return [
    ...deviceColumns<DeviceRow>(setting, deviceOfRow),
    {
      id: 'location',
      header: 'Location',
      sort: 'location',
      from: 'desktop',
      width: 7,
      value: ({ location }) => location,
      card: 'fact'
    },
    {
      id: 'services',
      header: 'Services',
      width: 11,
      value: (device) => servicesOf(device, setting.nowMs()),
      card: 'more'
    },
    {
      id: END_SORT,
      header: 'Nearest end',
      sort: 'nearest end',
      align: 'end',
      width: 8,
      whole: true,
      from: 'laptop',
      value: ({ nearestEnd }) => nearestEnd,
      cell: (device) => nearestEndOf(device, setting.nowMs()),
      card: 'aside'
    },
    deviceUuid(deviceOfRow)
  ]
}

function servicesOf(device: DeviceRow, nowMs: number): string {
  if (areSubscriptionsUnread(device)) return SUBSCRIPTIONS_UNREAD
  const active = device.subscriptions.filter((subscription) => isActive(subscription, nowMs))
  const names = active.map(({ offeringCode }) => OFFERING_NAMES[offeringCode] ?? offeringCode)
  return [...new Set(names)].join(', ')
}

/** The days until the nearest end, or its day if it is far. */
function nearestEndOf({ subscriptions, nearestEnd }: DeviceRow, nowMs: number) {
  const expiry = soonestExpiry(subscriptions, nowMs)
  if (expiry === null && nearestEnd !== null) return <Timestamp iso={nearestEnd} as="day" />
  return <NearestEnd expiry={expiry} />
}
