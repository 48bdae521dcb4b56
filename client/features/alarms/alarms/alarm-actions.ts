import { useNavigate } from 'react-router-dom'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { useSession } from '../../../lib/session/session.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { historyAround, type ShownAck } from './alarm.ts'
import type { OpenDialog } from './alarm-dialogs.tsx'
import { acknowledgeItem } from './columns.tsx'

interface AlarmActions {
  manages: boolean
  opensHistory: boolean
  ack: ShownAck
  customerPath: string
  onAcknowledge: (alarm: AlarmOfCustomer) => void
  onOpen: (dialog: OpenDialog) => void
  onDetails: (alarm: AlarmOfCustomer) => void
}

/** Returns a function that lists the actions on an alarm; `false` for those that the person may not perform. */
export function useAlarmActions(): (alarm: AlarmOfCustomer, actions: AlarmActions) => (MenuItem | false)[] {
  const navigate = useNavigate()
  const { nowMs } = useSession()
  return (alarm, actions) => {
    const { manages, opensHistory, ack, customerPath, onAcknowledge, onOpen, onDetails } = actions
    const { device } = alarm
    return [
      manages && acknowledgeItem(alarm, ack, () => onAcknowledge(alarm)),
      manages && { label: 'Add note', onSelect: () => onOpen({ kind: 'note', alarms: [alarm] }) },
      { label: 'Details', onSelect: () => onDetails(alarm) },
      opensHistory && {
        label: 'Open history',
        disabledReason: device ? null : 'The device is not known',
        onSelect: () =>
          device && void navigate(historyAround(alarm, customerPath, device.deviceUuid, nowMs()))
      }
    ]
  }
}
