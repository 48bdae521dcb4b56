import type { Alarm } from '#shared/answers/alarms.ts'
import './style.css'
import BellRing from 'lucide-react/icons/bell-ring'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { ACK_STATES, type ShownAck, SOURCE_STATES } from './alarm.ts'

const ICONS = { offnormal: BellRing, fault: TriangleAlert, alert: CircleAlert, normal: CircleCheck }

export function StateBadge({ alarm: { sourceState } }: { alarm: Alarm }) {
  const Icon = ICONS[sourceState] ?? CircleAlert
  const { label, tone } = SOURCE_STATES[sourceState] ?? { label: sourceState, tone: 'plain' }
  return (
    <span className={`badge state-badge ${tone}`}>
      <Icon />
      {label}
    </span>
  )
}

export function AlarmState({ alarm, ack }: { alarm: Alarm; ack: ShownAck }) {
  return (
    <span className="alarm-state">
      <StateBadge alarm={alarm} />
      <small className={`ack ${ack}`}>{ACK_STATES[ack]}</small>
    </span>
  )
}
