import type { Device } from '#shared/entities.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { isActive } from '../../lib/expiry.ts'
import { OFFERING_NAMES } from '../../lib/service-links.ts'
import { useSession } from '../../session/session.ts'
import { useCustomer } from '../customer.ts'
import { useDeviceDeeds } from '../use-device-deeds.ts'

interface DeleteDeviceProps {
  device: Device
  /** Once it is gone. */
  onDeleted?: (() => unknown) | undefined
  onClose: () => void
}

/** A device that still has services is deleted by its name only. */
export function DeleteDevice({ device, onDeleted, onClose }: DeleteDeviceProps) {
  const deeds = useDeviceDeeds(useCustomer().id)
  const { nowMs } = useSession()
  const services = device.subscriptions
    .filter((subscription) => isActive(subscription, nowMs()))
    .map(({ offeringCode }) => OFFERING_NAMES[offeringCode] ?? offeringCode)
  return (
    <ConfirmDialog
      title="Delete Device?"
      confirmLabel="Delete Device"
      tone="danger"
      {...(services.length > 0 ? { typed: device.deviceName } : {})}
      onConfirm={() => {
        onClose()
        void deeds.deleteDevice(device, onDeleted)
      }}
      onCancel={onClose}
    >
      <p>
        The device <strong>{device.deviceName}</strong> ({device.hostId}) will be removed from this customer.
        This cannot be undone.
      </p>
      {services.length > 0 && <p>It still has services: {[...new Set(services)].join(', ')}.</p>}
    </ConfirmDialog>
  )
}
