import Trash from 'lucide-react/icons/trash-2'
import type { Device } from '#shared/entities.ts'
import { RowActions } from '../../components/row-actions.tsx'
import type { Customer } from '../../deeds/customer.ts'
import { actionsOf, showDeleteDevice } from '../../deeds/device-actions.tsx'

/** At the end of a table row: the deletion in sight, the rest in a menu. */
export function DeviceActions({ device, customer }: { device: Device; customer: Customer }) {
  return (
    <div className="device-actions">
      {customer.may.deleteDevice && (
        <button
          type="button"
          className="button quiet icon"
          aria-label={`Delete ${device.deviceName}`}
          title="Delete"
          onClick={() => showDeleteDevice(device, customer)}
        >
          <Trash />
        </button>
      )}
      <RowActions name={device.deviceName} items={actionsOf(device, customer)} />
    </div>
  )
}
