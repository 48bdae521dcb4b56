import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import type { Device } from '#shared/entities.ts'
import { paths } from '../../../lib/paths.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { cardFacts, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { useCustomer } from '../../customers/customer.ts'
import { DeviceCardActions, DeviceFacts } from './device-card.tsx'

interface DeviceSheetProps {
  /** Those on the page, to go through. */
  devices: readonly Device[]
  columns: readonly ListColumn<Device>[]
  uuid: string
  onMove: (deviceUuid: string) => void
  onClose: () => void
}

/** All about a device of the table, and what can be done with it, at the side of a tablet. */
export default function DeviceSheet({ devices, columns, uuid, onMove, onClose }: DeviceSheetProps) {
  const { customerPath } = useCustomer()
  const at = devices.findIndex(({ deviceUuid }) => deviceUuid === uuid)
  const device = devices[at]
  if (!device) return null
  const steps = [
    { name: 'Previous device', Icon: ChevronUp, to: devices[at - 1] },
    { name: 'Next device', Icon: ChevronDown, to: devices[at + 1] }
  ]
  return (
    <Modal title={device.deviceName} kind="side" onClose={onClose}>
      <div className="modal-body device-sheet">
        <div className="sheet-steps">
          <PrefetchLink to={paths.device(customerPath, device.deviceUuid)} className="button primary">
            Open device
          </PrefetchLink>
          {steps.map(({ name, Icon, to }) => (
            <button
              key={name}
              type="button"
              className="button quiet icon"
              aria-label={name}
              aria-disabled={!to}
              onClick={() => to && onMove(to.deviceUuid)}
            >
              <Icon />
            </button>
          ))}
        </div>
        <DeviceFacts facts={[...cardFacts(columns, 'fact')(device), ...cardFacts(columns, 'more')(device)]} />
        <DeviceCardActions device={device} />
      </div>
    </Modal>
  )
}
