import MessageSquare from 'lucide-react/icons/message-square'
import type { Alarm } from '#shared/answers/alarms.ts'
import { count } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import type { DeviceName } from '../../sites/devices/api.ts'
import { ACK_STATES, bandOf, type ShownAck, SOURCE_STATES } from './alarm.ts'
import { AlarmState } from './alarm-state.tsx'

export interface AlarmCells {
  customerPath: string
  /** The names of the alarm's device; null for an unknown device. */
  nameOf: (alarm: Alarm) => DeviceName | null
  /** False if all alarms belong to one device. */
  withDevice: boolean
  ackOf: (alarm: Alarm) => ShownAck
  onOpen: (alarm: Alarm) => void
  /** Null if the person may not acknowledge. */
  onAcknowledge: ((alarm: Alarm) => void) | null
}

export function alarmTitle({ sourceName, timestamp }: Alarm): string {
  return `alarm ${sourceName}, ${formatMoment(timestamp)}`
}

const BESIDE_DRAWER = ['sourceName', 'sourceState', 'timestamp']

export function besideDrawer(columns: readonly ListColumn<Alarm>[]): ListColumn<Alarm>[] {
  return columns.map((column) =>
    BESIDE_DRAWER.includes(column.id) ? column : { ...column, table: false as const }
  )
}

export function alarmColumns(cells: AlarmCells): ListColumn<Alarm>[] {
  return [
    fileColumn('Time', ({ timestamp }) => timestamp),
    ...mainColumns(cells),
    ...deviceColumns(cells),
    ...recordColumns()
  ]
}

function mainColumns(cells: AlarmCells): ListColumn<Alarm>[] {
  const { onOpen, withDevice } = cells
  return [
    {
      id: 'sourceName',
      header: 'Source',
      sort: 'source',
      value: ({ sourceName }) => sourceName,
      cell: (alarm) => (
        <span className="stacked">
          <button type="button" className="link-button source clip" onClick={() => onOpen(alarm)}>
            {alarm.sourceName}
          </button>
          {withDevice && <small className="source-device clip">{deviceText(alarm, cells)}</small>}
        </span>
      ),
      card: 'heading'
    },
    {
      id: 'sourceState',
      header: 'State',
      width: '12.25rem',
      sort: 'state',
      value: ({ sourceState }) => SOURCE_STATES[sourceState]?.label ?? sourceState,
      cell: (alarm) => <StateCell alarm={alarm} {...cells} />,
      card: 'fact'
    },
    fileColumn('Acknowledgement', ({ ackState }) => ACK_STATES[ackState] ?? ackState),
    {
      id: 'priority',
      header: 'Priority',
      width: '7rem',
      sort: 'priority',
      value: ({ priority }) => priority,
      cell: ({ priority }) => (
        <span className={`priority ${bandOf(priority)?.id ?? ''}`}>
          {priority} <span className="muted">{bandOf(priority)?.label}</span>
        </span>
      ),
      card: 'fact'
    },
    fileColumn('Band', ({ priority }) => bandOf(priority)?.label),
    {
      id: 'timestamp',
      header: 'Time',
      width: '9.75rem',
      sort: 'time',
      cell: ({ timestamp }) => <Timestamp iso={timestamp} />,
      card: 'fact'
    },
    {
      id: 'messageText',
      header: 'Message',
      width: '18%',
      from: 'desktop',
      value: ({ messageText }) => messageText,
      cell: ({ messageText, notes }) => (
        <span className="line">
          <span className="clip" title={messageText}>
            {messageText}
          </span>
          {notes.length > 0 && (
            <span className="line note-count muted" title={count(notes.length, 'note')}>
              <MessageSquare />
              {notes.length}
              <span className="sr-only"> notes</span>
            </span>
          )}
        </span>
      ),
      card: { as: 'fact', cell: ({ messageText }) => messageText }
    },
    {
      id: 'alarmClass',
      header: 'Class',
      sort: 'class',
      value: ({ alarmClass }) => alarmClass,
      table: 'on-demand',
      card: 'more'
    }
  ]
}

function deviceColumns(cells: AlarmCells): ListColumn<Alarm>[] {
  const { nameOf, customerPath, withDevice } = cells
  return [
    {
      id: 'device',
      header: 'Device',
      width: '18%',
      from: 'desktop',
      csv: false,
      value: (alarm) => deviceText(alarm, cells),
      cell: (alarm) => <DeviceLink alarm={alarm} name={nameOf(alarm)} customerPath={customerPath} />,
      ...(withDevice ? { card: 'fact' as const } : ({ table: false, card: false } as const))
    },
    fileColumn('Device', (alarm) => nameOf(alarm)?.deviceName ?? alarm.deviceId),
    fileColumn('Project', (alarm) => nameOf(alarm)?.projectName)
  ]
}

function deviceText(alarm: Alarm, { nameOf }: AlarmCells): string {
  const name = nameOf(alarm)
  return name ? [name.deviceName, name.projectName].filter(Boolean).join(' · ') : alarm.deviceId
}

function recordColumns(): ListColumn<Alarm>[] {
  return [
    {
      id: 'user',
      header: 'Acknowledged by',
      value: ({ user }) => user,
      table: 'on-demand',
      card: 'more'
    },
    fileColumn('Acknowledged', ({ ackTime }) => ackTime),
    {
      id: 'normalTime',
      header: 'Back to normal',
      sort: 'back to normal',
      value: ({ normalTime }) => normalTime,
      cell: ({ normalTime }) => <Timestamp iso={normalTime} />,
      table: 'on-demand'
    },
    {
      id: 'ackRequired',
      header: 'Ack required',
      value: ({ ackRequired }) => (ackRequired ? 'Yes' : 'No'),
      table: 'on-demand'
    },
    {
      id: 'alarmTransition',
      header: 'Transition',
      value: ({ alarmTransition }) => alarmTransition,
      cell: ({ alarmTransition }) => alarmTransition ?? '–',
      table: 'on-demand'
    },
    fileColumn('Notes', ({ notes }) => notes.map(({ text, user }) => `${user}: ${text}`).join('; ')),
    {
      id: 'uuid',
      header: 'UUID',
      value: ({ uuid }) => uuid,
      cell: ({ uuid }) => <span className="mono">{uuid}</span>,
      table: 'on-demand'
    }
  ]
}

/** The state of an alarm, with “Retry” if the device did not confirm the acknowledgement. */
function StateCell({ alarm, ackOf, onAcknowledge }: { alarm: Alarm } & AlarmCells) {
  const ack = ackOf(alarm)
  return (
    <span className="line">
      <AlarmState alarm={alarm} ack={ack} />
      {ack === 'unconfirmed' && onAcknowledge && (
        <button
          type="button"
          className="link-button"
          aria-label={`Retry ${alarmTitle(alarm)}`}
          onClick={() => onAcknowledge(alarm)}
        >
          Retry
        </button>
      )}
    </span>
  )
}

type DeviceLinkProps = { alarm: Alarm; name: DeviceName | null; customerPath: string }

function DeviceLink({ alarm, name, customerPath }: DeviceLinkProps) {
  if (!name) return <span className="muted">{alarm.deviceId}</span>
  return (
    <PrefetchLink to={paths.device(customerPath, name.deviceUuid)} className="clip">
      {name.deviceName}
      <span className="muted"> · {name.projectName}</span>
    </PrefetchLink>
  )
}
