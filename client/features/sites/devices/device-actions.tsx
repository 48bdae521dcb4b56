// The actions on one device that the person may perform.
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Pencil from 'lucide-react/icons/pencil'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash from 'lucide-react/icons/trash-2'
import type { Device } from '#shared/answers/customers.ts'
import { SUBSCRIPTIONS_UNREAD } from '../../../lib/messages.ts'
import { showLazyDialog } from '../../../ui/dialog/dialogs.tsx'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import type { Customer } from '../customers/customer.tsx'
import { areSubscriptionsUnread } from './service-links/device-services.ts'

export const loadDeviceDialogs = () => import('./dialogs/device-dialogs.ts')

/** `onDeleted` runs after the deletion, before the customer's data reload. */
export function actionsOf(
  device: Device,
  { can }: Pick<Customer, 'can'>,
  onDeleted?: () => unknown
): MenuItem[] {
  const items: (MenuItem | false)[] = [
    can('devices:edit') && {
      label: 'Edit Details',
      icon: <Pencil />,
      onSelect: () =>
        showLazyDialog(loadDeviceDialogs, ({ EditDevice }, close) => (
          <EditDevice device={device} onClose={close} />
        ))
    },
    can('devices:register') && {
      label: 'Re-registration',
      icon: <RefreshCw />,
      onSelect: () =>
        showLazyDialog(loadDeviceDialogs, ({ ReregisterDevice }, close) => (
          <ReregisterDevice device={device} onClose={close} />
        ))
    },
    {
      label: 'Usage Metrics',
      icon: <ChartNoAxesColumn />,
      disabledReason: usageProblem(device),
      onSelect: () =>
        showLazyDialog(loadDeviceDialogs, ({ UsageMetrics }, close) => (
          <UsageMetrics device={device} onClose={close} />
        ))
    },
    can('devices:delete') && {
      label: 'Delete',
      icon: <Trash />,
      tone: 'danger',
      inline: true,
      onSelect: () =>
        showLazyDialog(loadDeviceDialogs, ({ DeleteDevice }, close) => (
          <DeleteDevice device={device} onDeleted={onDeleted} onClose={close} />
        ))
    }
  ]
  return items.filter((item) => item !== false)
}

function usageProblem(device: Device): string | null {
  if (areSubscriptionsUnread(device)) return SUBSCRIPTIONS_UNREAD
  const hasPlan = device.subscriptions.some(({ offeringCode }) => offeringCode === 'NDS')
  return hasPlan ? null : 'No Data Services subscription'
}
