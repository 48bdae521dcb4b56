import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useSearchParams } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { paths } from '../../lib/paths.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import type { Customer } from '../customers/customer.ts'
import { useProjectDevices } from '../devices/api.ts'

/** The devices before and after this one in its project, by name; the tab stays. */
export function DeviceNeighbours({ area, device }: { area: Customer; device: Device }) {
  const [query] = useSearchParams()
  const { data } = useProjectDevices(area.customerId, device.projectId)
  const at = data?.items.findIndex(({ deviceUuid }) => deviceUuid === device.deviceUuid) ?? -1
  if (!data || at < 0 || data.items.length < 2) return null
  const addressOf = ({ deviceUuid }: Device) =>
    query.get('tab') === 'alarms'
      ? paths.deviceAlarms(area.customerPath, deviceUuid)
      : paths.device(area.customerPath, deviceUuid)
  const steps = [
    { name: 'Previous device', Icon: ChevronLeft, to: data.items[at - 1] },
    { name: 'Next device', Icon: ChevronRight, to: data.items[at + 1] }
  ]
  return (
    <nav className="neighbours" aria-label={`Devices of ${device.projectName}`}>
      {steps.map(({ name, Icon, to }) =>
        to ? (
          <PrefetchLink
            key={name}
            to={addressOf(to)}
            className="button quiet icon"
            aria-label={`${name}: ${to.deviceName}`}
            title={to.deviceName}
          >
            <Icon />
          </PrefetchLink>
        ) : (
          <span key={name} className="button quiet icon" aria-hidden="true" data-off>
            <Icon />
          </span>
        )
      )}
    </nav>
  )
}
