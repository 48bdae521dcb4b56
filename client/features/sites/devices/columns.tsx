import type { Device } from '#shared/answers/customers.ts'
import { USAGE_SORT } from '#shared/devices.ts'
import { SUBSCRIPTIONS_UNREAD } from '../../../lib/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { CopyButton } from '../../../ui/input/copy-button.tsx'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ClippedText } from '../../../ui/text/clipped-text.tsx'
import { percentText } from '../usage/api.ts'
import { areSubscriptionsUnread, OFFERING_NAMES } from './service-links/device-services.ts'
import {
  type DeviceServices,
  ServiceButtons,
  ServiceLinks,
  ServiceMarks
} from './service-links/service-links.tsx'

export function deviceColumns(services: DeviceServices, withUsage: boolean): ListColumn<Device>[] {
  const { customerPath, linksOf } = services
  return [
    {
      id: 'deviceName',
      header: 'Device',
      sort: 'Device',
      min: 17,
      value: ({ deviceName }) => deviceName,
      cell: ({ deviceName, deviceUuid }) => (
        <PrefetchLink to={paths.device(customerPath, deviceUuid)}>
          <ClippedText text={deviceName} />
        </PrefetchLink>
      ),
      card: 'heading'
    },
    ...(withUsage ? [USAGE] : []),
    {
      id: 'hostId',
      header: 'Host ID',
      sort: 'Host ID',
      whole: true,
      value: ({ hostId }) => hostId,
      cell: (device) => <HostId device={device} />
    },
    {
      id: 'projectName',
      header: 'Project',
      sort: 'Project',
      from: 'laptop',
      value: ({ projectName }) => projectName,
      cell: ({ projectName }) => projectName && <ClippedText text={projectName} />,
      card: 'fact'
    },
    {
      id: 'location',
      header: 'Location',
      sort: 'Location',
      from: 'desktop',
      value: ({ location }) => location,
      cell: ({ location }) => <ClippedText text={location} />,
      card: 'fact'
    },
    {
      id: 'services',
      header: 'Services',
      whole: true,
      value: servicesText,
      cell: (device) => <Services device={device} services={services} />,
      card: {
        as: 'more',
        cell: (device) => <ServiceButtons deviceName={device.deviceName} links={linksOf(device)} />
      }
    },
    {
      id: 'activeServices',
      header: 'Active services',
      table: false,
      cell: (device) => <ServiceMarks links={linksOf(device)} expiry={services.expiryOf(device)} />,
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
    <span className="line host-id">
      <span className="mono clip">{hostId}</span>
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
