// The actions on one alarm, in the list of a customer and in the list of all customers.
import { useNavigate } from 'react-router-dom'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { useSession } from '../../people/session/session.ts'
import type { DeviceName } from '../../sites/devices/api.ts'
import { historyAround, type ShownAck } from './alarm.ts'
import type { OpenDialog } from './alarm-dialogs.tsx'
import { acknowledgeItem } from './columns.tsx'

interface AlarmActions<A extends Alarm> {
  manages: boolean
  ack: ShownAck
  /** Null for an unknown device. */
  device: DeviceName | null
  customerPath: string
  onOpen: (dialog: OpenDialog<A>) => void
  onDetails: (alarm: A) => void
}

/** Returns a function that lists the actions on an alarm; `false` for those that the person may not perform. */
export function useAlarmActions<A extends Alarm>(): (
  alarm: A,
  actions: AlarmActions<A>
) => (MenuItem | false)[] {
  const navigate = useNavigate()
  const { nowMs } = useSession()
  return (alarm, { manages, ack, device, customerPath, onOpen, onDetails }) => [
    manages && acknowledgeItem(alarm, ack, () => onOpen({ kind: 'acknowledge', alarms: [alarm] })),
    manages && { label: 'Add note', onSelect: () => onOpen({ kind: 'note', alarms: [alarm] }) },
    { label: 'Details', onSelect: () => onDetails(alarm) },
    {
      label: 'Open history',
      disabledReason: device ? null : 'The device is not known',
      onSelect: () => device && void navigate(historyAround(alarm, customerPath, device.deviceUuid, nowMs()))
    }
  ]
}
