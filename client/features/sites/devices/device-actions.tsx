// The actions on one device that the person may perform.
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Pencil from 'lucide-react/icons/pencil'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash from 'lucide-react/icons/trash-2'
import type { Device } from '#shared/answers/customers.ts'
import { SUBSCRIPTIONS_UNREAD } from '../../../lib/messages.ts'
import { showDialog } from '../../../ui/dialog/dialogs.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import type { Customer } from '../customers/customer.tsx'
import { UsageMetrics } from '../usage/usage-metrics.tsx'
import { DeleteDevice } from './dialogs/delete-device.tsx'
import { EditDevice } from './dialogs/edit-device.tsx'
import { ReregisterDevice } from './dialogs/reregister-device.tsx'
import { areSubscriptionsUnread } from './service-links/device-services.ts'

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
      onSelect: () => showDialog((close) => <EditDevice device={device} onClose={close} />)
    },
    can('devices:register') && {
      label: 'Re-registration',
      icon: <RefreshCw />,
      onSelect: () => showDialog((close) => <ReregisterDevice device={device} onClose={close} />)
    },
    {
      label: 'Usage Metrics',
      icon: <ChartNoAxesColumn />,
      disabledReason: usageProblem(device),
      onSelect: () => showDialog((close) => <UsageMetrics device={device} onClose={close} />)
    },
    can('devices:delete') && {
      label: 'Delete',
      icon: <Trash />,
      tone: 'danger',
      inline: true,
      onSelect: () =>
        showDialog((close) => <DeleteDevice device={device} onDeleted={onDeleted} onClose={close} />)
    }
  ]
  return items.filter((item) => item !== false)
}

function usageProblem(device: Device): string | null {
  if (areSubscriptionsUnread(device)) return SUBSCRIPTIONS_UNREAD
  const hasPlan = device.subscriptions.some(({ offeringCode }) => offeringCode === 'NDS')
  return hasPlan ? null : 'No Data Services subscription'
}
