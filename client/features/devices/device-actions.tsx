// What can be done with one device, for those who may. Every dialog's code comes when it is asked for.
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Pencil from 'lucide-react/icons/pencil'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash from 'lucide-react/icons/trash-2'
import type { Device } from '#shared/entities.ts'
import { showDialog } from '../../ui/dialog/dialogs.ts'
import type { MenuItem } from '../../ui/input/menu-button.tsx'
import type { Customer } from '../customers/customer.ts'

/** Before they are asked for, so that they also open offline. */
export const fetchDeviceDialogs = () =>
  Promise.all([
    import('./dialogs/edit-device.tsx'),
    import('./dialogs/reregister-device.tsx'),
    import('./dialogs/delete-device.tsx'),
    import('./dialogs/move-devices.tsx'),
    import('../usage/usage-metrics.tsx')
  ])

export function actionsOf(device: Device, { can }: Pick<Customer, 'can'>): MenuItem[] {
  const plan = device.subscriptions.some(({ offeringCode }) => offeringCode === 'NDS')
  const items: (MenuItem | false)[] = [
    can('devices:edit') && {
      label: 'Edit Details',
      icon: <Pencil />,
      onSelect: () =>
        showDialog(async (close) => {
          const { EditDevice } = await import('./dialogs/edit-device.tsx')
          return <EditDevice device={device} onClose={close} />
        })
    },
    can('devices:register') && {
      label: 'Re-registration',
      icon: <RefreshCw />,
      onSelect: () =>
        showDialog(async (close) => {
          const { ReregisterDevice } = await import('./dialogs/reregister-device.tsx')
          return <ReregisterDevice device={device} onClose={close} />
        })
    },
    {
      label: 'Usage Metrics',
      icon: <ChartNoAxesColumn />,
      disabledReason: plan ? null : 'No Data Services subscription',
      onSelect: () =>
        showDialog(async (close) => {
          const { UsageMetrics } = await import('../usage/usage-metrics.tsx')
          return <UsageMetrics device={device} onClose={close} />
        })
    }
  ]
  return items.filter((item) => item !== false)
}

/** `onDeleted` runs once the device is deleted, before anything is read again. */
export function deletionOf(device: Device, onDeleted?: () => unknown): MenuItem {
  return {
    label: 'Delete',
    icon: <Trash />,
    tone: 'danger',
    inline: true,
    onSelect: () =>
      showDialog(async (close) => {
        const { DeleteDevice } = await import('./dialogs/delete-device.tsx')
        return <DeleteDevice device={device} onDeleted={onDeleted} onClose={close} />
      })
  }
}
