import type { DeviceSort } from '#shared/devices.ts'
import type { Device } from '#shared/entities.ts'
import { ClippedText } from '../../components/clipped-text.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { ExpiryBadge } from '../../components/expiry-badge.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { ServiceLinks } from '../../components/service-links.tsx'
import type { Customer } from '../../deeds/customer.ts'
import { SORT_NAMES } from '../../lib/device-view.ts'
import { paths } from '../../paths.ts'
import { DeviceActions } from './device-row-actions.tsx'
import type { DeviceServices } from './use-device-services.ts'

function TwoLines({ text }: { text: string }) {
  return (
    <span className="two-lines" title={text}>
      <ClippedText text={text} />
    </span>
  )
}

export function columnsOf(
  { customerPath, linksOf, expiryOf }: DeviceServices,
  customer: Customer
): Column<Device>[] {
  const sortable = (id: DeviceSort, cell: Column<Device>['cell']): Column<Device> => ({
    id,
    header: SORT_NAMES[id],
    sortable: true,
    cell
  })
  return [
    sortable('deviceName', ({ deviceName, deviceUuid }) => (
      <PrefetchLink to={paths.device(customerPath, deviceUuid)}>
        <ClippedText text={deviceName} />
      </PrefetchLink>
    )),
    sortable('hostId', ({ hostId, deviceName }) => (
      <span className="host-id">
        <span className="mono" title={hostId}>
          {hostId}
        </span>
        {hostId && <CopyButton key={hostId} text={hostId} label={`Copy host ID of ${deviceName}`} />}
      </span>
    )),
    sortable('projectName', ({ projectName }) => projectName && <TwoLines text={projectName} />),
    sortable('location', ({ location }) => <TwoLines text={location} />),
    {
      id: 'services',
      header: 'Services',
      sortable: false,
      cell: (device) => {
        const expiry = expiryOf(device)
        return (
          <div className="services">
            <ServiceLinks
              deviceName={device.deviceName}
              links={linksOf(device).filter(({ id }) => id !== 'alarms')}
            />
            {expiry && <ExpiryBadge expiry={expiry} />}
          </div>
        )
      }
    },
    {
      id: 'actions',
      header: 'Actions',
      sortable: false,
      silent: true,
      align: 'end',
      cell: (device) => <DeviceActions key={device.deviceUuid} device={device} customer={customer} />
    }
  ]
}
