import type { Device } from '#shared/answers/customers.ts'
import { END_SORT, USAGE_SORT } from '#shared/devices.ts'

import { SUBSCRIPTIONS_UNREAD } from '../../../lib/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { CopyButton } from '../../../ui/input/copy-button.tsx'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { unbroken } from '../../../ui/unbroken.tsx'
import { percentText } from '../usage/api.ts'
import { areSubscriptionsUnread, OFFERING_NAMES } from './service-links/device-services.ts'
import {
  type DeviceServices,
  NearestEnd,
  ServiceButtons,
  ServiceLinks,
  ServiceMarks
} from './service-links/service-links.tsx'

export function deviceColumns(services: DeviceServices, withUsage: boolean): ListColumn<Device>[] {
  const { customerPath, linksOf, expiryOf } = services
  const linkTo = ({ deviceName, deviceUuid }: Device) => (
    <PrefetchLink to={paths.device(customerPath, deviceUuid)}>{unbroken(deviceName)}</PrefetchLink>
  )
  return [
    {
      id: 'deviceName',
      header: 'Device',
      sort: 'Device',
      alsoSorts: { id: 'hostId', header: 'Host ID' },
      width: 15.5,
      value: ({ deviceName }) => deviceName,
      cell: (device) => (
        <span className="stacked">
          {linkTo(device)}
          {device.hostId && <HostId device={device} />}
        </span>
      ),
      card: { as: 'heading', cell: linkTo }
    },
    ...(withUsage ? [USAGE] : []),
    {
      id: 'hostId',
      header: 'Host ID',
      sort: 'Host ID',
      width: 14,
      value: ({ hostId }) => hostId,
      cell: (device) => <HostId device={device} />,
      table: 'on-demand',
      card: 'more'
    },
    {
      id: 'projectName',
      header: 'Project',
      sort: 'Project',
      from: 'laptop',
      value: ({ projectName }) => projectName,
      cell: ({ projectName }) => unbroken(projectName),
      width: 11,
      card: 'fact'
    },
    {
      id: 'location',
      header: 'Location',
      sort: 'Location',
      from: 'desktop',
      value: ({ location }) => location,
      width: 7,
      card: 'fact'
    },
    {
      id: 'services',
      header: 'Services',
      width: 6.5,
      whole: true,
      value: servicesText,
      cell: (device) => <Services device={device} services={services} />,
      card: {
        as: 'more',
        cell: (device) => <ServiceButtons deviceName={device.deviceName} links={linksOf(device)} />
      }
    },
    {
      id: END_SORT,
      header: 'Nearest end',
      sort: 'Nearest end',
      align: 'end',
      width: 8,
      whole: true,
      from: 'laptop',
      cell: (device) => <NearestEnd expiry={expiryOf(device)} />,
      card: false
    },
    {
      id: 'activeServices',
      header: 'Active services',
      table: false,
      cell: (device) => <ServiceMarks links={linksOf(device)} expiry={expiryOf(device)} />,
      card: 'aside'
    },
    fileColumn('Device UUID', ({ deviceUuid }) => deviceUuid)
  ]
}

const USAGE: ListColumn<Device> = {
  id: USAGE_SORT,
  header: 'Usage',
  whole: true,
  align: 'end',
  sort: 'Usage',
  first: 'desc',
  value: ({ usagePercent }) => usagePercent,
  cell: ({ usagePercent = 0 }) => percentText(usagePercent),
  card: {
    as: 'fact',
    cell: ({ usagePercent = 0 }) => `${percentText(usagePercent)} of its plan`
  },
  csv: 'Usage (% of the plan limit)'
}

function HostId({ device: { hostId, deviceName } }: { device: Device }) {
  return (
    <span className="host-id">
      <span className="mono">{hostId}</span>
      {hostId && <CopyButton key={hostId} text={hostId} label={`Copy host ID of ${deviceName}`} />}
    </span>
  )
}

function Services({ device, services }: { device: Device; services: DeviceServices }) {
  const links = services.linksOf(device).filter(({ id }) => id !== 'alarms')
  return <ServiceLinks deviceName={device.deviceName} links={links} />
}

function servicesText(device: Device): string {
  if (areSubscriptionsUnread(device)) return SUBSCRIPTIONS_UNREAD
  return device.subscriptions
    .map(
      ({ offeringCode, endDate }) =>
        `${OFFERING_NAMES[offeringCode] ?? offeringCode} until ${formatDay(endDate)}`
    )
    .join('; ')
}
