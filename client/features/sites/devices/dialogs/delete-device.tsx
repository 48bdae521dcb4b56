import type { Device } from '#shared/answers/customers.ts'
import { SERVICES_UNKNOWN } from '../../../../lib/messages.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { ConfirmDialog } from '../../../../ui/dialog/confirm-dialog.tsx'
import { useDeviceChanges } from '../device-changes.ts'
import { areSubscriptionsUnread, isActive, OFFERING_NAMES } from '../service-links/device-services.ts'

interface DeleteDeviceProps {
  device: Device
  onDeleted?: (() => unknown) | undefined
  onClose: () => void
}

/** The person must type the device's name if the device has active services, or may have some. */
export function DeleteDevice({ device, onDeleted, onClose }: DeleteDeviceProps) {
  const changes = useDeviceChanges()
  const { nowMs } = useSession()
  const services = device.subscriptions
    .filter((subscription) => isActive(subscription, nowMs()))
    .map(({ offeringCode }) => OFFERING_NAMES[offeringCode] ?? offeringCode)
  const unread = areSubscriptionsUnread(device)
  return (
    <ConfirmDialog
      title="Delete Device?"
      confirmLabel="Delete Device"
      tone="danger"
      {...(services.length > 0 || unread ? { typed: device.deviceName } : {})}
      onConfirm={() => {
        onClose()
        void changes.deleteDevice(device, onDeleted)
      }}
      onCancel={onClose}
    >
      <p>
        The device <strong>{device.deviceName}</strong> ({device.hostId}) will be removed from this customer.
        This cannot be undone.
      </p>
      {services.length > 0 && <p>It still has services: {[...new Set(services)].join(', ')}.</p>}
      {unread && <p>{SERVICES_UNKNOWN}</p>}
    </ConfirmDialog>
  )
}
