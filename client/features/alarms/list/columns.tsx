import MessageSquare from 'lucide-react/icons/message-square'
import { count } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import type { DeviceName } from '../../devices/api.ts'
import { ACK_STATES, type Alarm, bandOf, type ShownAck, SOURCE_STATES } from '../alarm.ts'
import { AlarmState } from '../alarm-state.tsx'

export interface AlarmCells {
  customerPath: string
  /** Null where the device is not known. */
  nameOf: (alarm: Alarm) => DeviceName | null
  /** False where all are of one device. */
  withDevice: boolean
  ackOf: (alarm: Alarm) => ShownAck
  onOpen: (alarm: Alarm) => void
  /** Null where nothing can be acknowledged. */
  onAcknowledge: ((alarm: Alarm) => void) | null
}

/** What a row is called. */
export function alarmTitle({ sourceName, timestamp }: Alarm): string {
  return `alarm ${sourceName}, ${formatMoment(timestamp)}`
}

export function alarmColumns(cells: AlarmCells): ListColumn<Alarm>[] {
  return [
    fileColumn('Time', ({ timestamp }) => timestamp),
    ...shownColumns(cells),
    ...recordColumns(),
    {
      id: 'device',
      header: 'Device',
      width: '14%',
      csv: false,
      cell: (alarm) => <DeviceOf alarm={alarm} cells={cells} />,
      ...(cells.withDevice ? { card: 'fact' as const } : ({ table: false, card: false } as const))
    }
  ]
}

const BESIDE_DRAWER = new Map([
  ['sourceName', undefined],
  ['sourceState', undefined],
  ['timestamp', '11.5rem']
])

/** The three that there is room for beside the details of one: what, how it stands, and when. */
export function besideDrawer(columns: readonly ListColumn<Alarm>[]): ListColumn<Alarm>[] {
  return columns.map((column) =>
    BESIDE_DRAWER.has(column.id)
      ? { ...column, width: BESIDE_DRAWER.get(column.id) }
      : { ...column, table: false }
  )
}

function shownColumns(cells: AlarmCells): ListColumn<Alarm>[] {
  const { nameOf, onOpen } = cells
  return [
    {
      id: 'sourceName',
      header: 'Source',
      width: '15%',
      sort: 'source',
      value: ({ sourceName }) => sourceName,
      cell: (alarm) => (
        <button type="button" className="link-button source" onClick={() => onOpen(alarm)}>
          {alarm.sourceName}
        </button>
      ),
      card: 'heading'
    },
    {
      id: 'sourceState',
      header: 'State',
      width: '16.5%',
      sort: 'state',
      value: ({ sourceState }) => SOURCE_STATES[sourceState]?.label ?? sourceState,
      cell: (alarm) => (
        <span className="stacked">
          <State alarm={alarm} cells={cells} />
          {alarm.user && (
            <span className="muted" title={alarm.ackTime ? formatMoment(alarm.ackTime) : undefined}>
              by {alarm.user}
            </span>
          )}
        </span>
      ),
      card: { as: 'fact', cell: (alarm) => <State alarm={alarm} cells={cells} /> }
    },
    fileColumn('Acknowledgement', ({ ackState }) => ACK_STATES[ackState] ?? ackState),
    {
      id: 'priority',
      header: 'Priority',
      width: '10.5%',
      sort: 'priority',
      value: ({ priority }) => priority,
      cell: (alarm) => <Priority alarm={alarm} />,
      card: 'fact'
    },
    fileColumn('Band', ({ priority }) => bandOf(priority)?.label),
    {
      id: 'timestamp',
      header: 'Time',
      width: '10.25rem',
      sort: 'time',
      cell: ({ timestamp }) => (
        <span className="stacked">
          <Timestamp iso={timestamp} />
          <span className="muted">
            <Timestamp iso={timestamp} as="ago" />
          </span>
        </span>
      ),
      card: { as: 'fact', cell: ({ timestamp }) => <Timestamp iso={timestamp} /> }
    },
    {
      id: 'messageText',
      header: 'Message',
      width: '20%',
      value: ({ messageText }) => messageText,
      cell: (alarm) => <Message alarm={alarm} />,
      card: { as: 'fact', cell: ({ messageText }) => messageText }
    },
    {
      id: 'alarmClass',
      header: 'Class',
      sort: 'class',
      value: ({ alarmClass }) => alarmClass,
      table: 'on-demand',
      card: 'more'
    },
    fileColumn('Device', (alarm) => nameOf(alarm)?.deviceName ?? alarm.deviceId),
    fileColumn('Project', (alarm) => nameOf(alarm)?.projectName),
    fileColumn('Acknowledged by', ({ user }) => user),
    fileColumn('Acknowledged', ({ ackTime }) => ackTime)
  ]
}

/** What few ask for. */
function recordColumns(): ListColumn<Alarm>[] {
  return [
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

function Message({ alarm: { messageText, alarmClass, notes } }: { alarm: Alarm }) {
  return (
    <span className="stacked">
      <span className="two-lines" title={messageText}>
        {messageText}
      </span>
      <span className="muted">
        {alarmClass}
        {notes.length > 0 && (
          <span className="note-count">
            {' · '}
            <MessageSquare /> {count(notes.length, 'note')}
          </span>
        )}
      </span>
    </span>
  )
}

interface StateProps {
  alarm: Alarm
  cells: Pick<AlarmCells, 'ackOf' | 'onAcknowledge'>
}

/** Whatever its device has not confirmed can be tried again on the spot. */
function State({ alarm, cells: { ackOf, onAcknowledge } }: StateProps) {
  const ack = ackOf(alarm)
  return (
    <>
      <AlarmState alarm={alarm} ack={ack} />
      {ack === 'unconfirmed' && onAcknowledge && (
        <button
          type="button"
          className="link-button ack-retry"
          aria-label={`Retry ${alarmTitle(alarm)}`}
          onClick={() => onAcknowledge(alarm)}
        >
          Retry
        </button>
      )}
    </>
  )
}

interface DeviceOfProps {
  alarm: Alarm
  cells: Pick<AlarmCells, 'nameOf' | 'customerPath'>
}

function DeviceOf({ alarm, cells: { nameOf, customerPath } }: DeviceOfProps) {
  const name = nameOf(alarm)
  if (!name) return <span className="muted">{alarm.deviceId}</span>
  return (
    <span className="stacked">
      <PrefetchLink to={paths.device(customerPath, name.deviceUuid)}>{name.deviceName}</PrefetchLink>
      <span className="muted">{name.projectName}</span>
    </span>
  )
}

function Priority({ alarm: { priority } }: { alarm: Alarm }) {
  const band = bandOf(priority)
  return (
    <span className={`priority ${band?.id ?? ''}`}>
      {priority} <span className="muted">{band?.label}</span>
    </span>
  )
}
