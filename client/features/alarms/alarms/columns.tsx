import Check from 'lucide-react/icons/check'
import MessageSquare from 'lucide-react/icons/message-square'
import type { Alarm } from '#shared/answers/alarms.ts'
import { count } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ClippedText } from '../../../ui/text/clipped-text.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import type { DeviceName } from '../../sites/devices/api.ts'
import { bandOf } from '../priorities/bands.ts'
import { ACK_STATES, isUnacked, type ShownAck, SOURCE_STATES } from './alarm.ts'
import { AlarmState, StateBadge } from './alarm-state.tsx'

export interface AlarmCells<A extends Alarm = Alarm> {
  customerPathOf: (alarm: A) => string
  /** Null if all alarms belong to one customer. */
  customerNameOf: ((alarm: A) => string) | null
  /** The names of the alarm's device; null for an unknown device. */
  nameOf: (alarm: A) => DeviceName | null
  /** False if all alarms belong to one device. */
  withDevice: boolean
  ackOf: (alarm: Alarm) => ShownAck
  onOpen: (alarm: A) => void
  /** Null if the person may not acknowledge. */
  onAcknowledge: ((alarm: A) => void) | null
}

export function alarmTitle({ sourceName, timestamp }: Alarm): string {
  return `alarm ${sourceName}, ${formatMoment(timestamp)}`
}

/** The action that acknowledges one alarm: a visible tick in each row that can be acknowledged. */
export function acknowledgeItem(alarm: Alarm, ack: ShownAck, onAcknowledge: () => void): MenuItem {
  const ackedReason = isUnacked(alarm) && ack !== 'acked' ? null : 'This alarm is acknowledged'
  return {
    label: ack === 'unconfirmed' ? 'Acknowledge again' : 'Acknowledge',
    icon: <Check />,
    inline: true,
    disabledReason: ack === 'ackPending' ? 'Waiting for the device' : ackedReason,
    onSelect: onAcknowledge
  }
}

const BESIDE_DRAWER = ['sourceName', 'sourceState', 'timestamp']

export function besideDrawer<A>(columns: readonly ListColumn<A>[]): ListColumn<A>[] {
  return columns.map((column) =>
    BESIDE_DRAWER.includes(column.id) ? column : { ...column, table: false as const }
  )
}

export function alarmColumns<A extends Alarm>(cells: AlarmCells<A>): ListColumn<A>[] {
  return [
    fileColumn('Time', ({ timestamp }) => timestamp),
    ...mainColumns(cells),
    ...deviceColumns(cells),
    ...recordColumns()
  ]
}

function mainColumns<A extends Alarm>(cells: AlarmCells<A>): ListColumn<A>[] {
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
            <ClippedText text={alarm.sourceName} />
          </button>
          {withDevice && <SourceDevice alarm={alarm} {...cells} />}
        </span>
      ),
      card: 'heading'
    },
    {
      id: 'sourceState',
      header: 'State',
      whole: true,
      sort: 'state',
      value: ({ sourceState }) => SOURCE_STATES[sourceState]?.label ?? sourceState,
      cell: (alarm) => <StateCell alarm={alarm} {...cells} />,
      card: { as: 'fact', cell: (alarm) => <StateOnCard alarm={alarm} ack={cells.ackOf(alarm)} /> }
    },
    fileColumn('Acknowledgement', ({ ackState }) => ACK_STATES[ackState] ?? ackState),
    {
      id: 'priority',
      header: 'Priority',
      whole: true,
      sort: 'priority',
      value: ({ priority }) => priority,
      cell: ({ priority }) => (
        <span className={`priority ${bandOf(priority)?.id ?? ''}`}>
          {priority} <span className="muted">{bandOf(priority)?.label}</span>
        </span>
      ),
      card: { as: 'fact', cell: ({ priority }) => bandOf(priority)?.label ?? priority }
    },
    fileColumn('Band', ({ priority }) => bandOf(priority)?.label),
    {
      id: 'timestamp',
      header: 'Time',
      whole: true,
      sort: 'time',
      cell: ({ timestamp }) => <Timestamp iso={timestamp} />,
      card: { as: 'fact', cell: ({ timestamp }) => <Timestamp iso={timestamp} as="age" /> }
    },
    {
      id: 'messageText',
      header: 'Message',
      from: 'laptop',
      value: ({ messageText }) => messageText,
      cell: ({ messageText, notes }) => (
        <span className="line">
          <span className="clip">{messageText}</span>
          {notes.length > 0 && (
            <span className="line note-count muted" title={count(notes.length, 'note')}>
              <MessageSquare />
              {notes.length}
              <span className="sr-only"> notes</span>
            </span>
          )}
        </span>
      ),
      card: { as: 'more', cell: ({ messageText }) => messageText }
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

function deviceColumns<A extends Alarm>(cells: AlarmCells<A>): ListColumn<A>[] {
  const { nameOf, customerPathOf, customerNameOf, withDevice } = cells
  return [
    {
      id: 'device',
      header: customerNameOf ? 'Customer · device' : 'Device',
      from: 'desktop',
      min: 12.5,
      csv: false,
      value: (alarm) => deviceText(alarm, cells),
      cell: (alarm) => (
        <DeviceLink
          alarm={alarm}
          name={nameOf(alarm)}
          customerPath={customerPathOf(alarm)}
          customerName={customerNameOf?.(alarm) ?? null}
        />
      ),
      ...(withDevice ? {} : ({ table: false, card: false } as const))
    },
    ...(customerNameOf ? [fileColumn('Customer', customerNameOf)] : []),
    fileColumn('Device', (alarm) => nameOf(alarm)?.deviceName ?? alarm.deviceId),
    fileColumn('Project', (alarm) => nameOf(alarm)?.projectName)
  ]
}

/** The names below the source, where the column of devices has no room. */
function SourceDevice<A extends Alarm>({ alarm, nameOf, customerNameOf }: { alarm: A } & AlarmCells<A>) {
  const name = nameOf(alarm)
  const device = <DeviceText name={name?.deviceName ?? alarm.deviceId} />
  const other = customerNameOf ? customerNameOf(alarm) : name?.projectName
  if (!other) return <small className="source-device both-names">{device}</small>
  const otherName = <span>{other}</span>
  return (
    <small className="source-device both-names">
      {customerNameOf ? otherName : device}
      <span> · </span>
      {customerNameOf ? device : otherName}
    </small>
  )
}

function DeviceText({ name }: { name: string }) {
  return (
    <span className="device-name">
      <ClippedText text={name} />
    </span>
  )
}

function deviceText<A extends Alarm>(alarm: A, { nameOf, customerNameOf }: AlarmCells<A>): string {
  const name = nameOf(alarm)
  if (customerNameOf) return [customerNameOf(alarm), name?.deviceName].filter(Boolean).join(' · ')
  return name ? [name.deviceName, name.projectName].filter(Boolean).join(' · ') : alarm.deviceId
}

function recordColumns<A extends Alarm>(): ListColumn<A>[] {
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
    fileColumn<A>('Notes', ({ notes }) => notes.map(({ text, user }) => `${user}: ${text}`).join('; ')),
    {
      id: 'uuid',
      header: 'UUID',
      value: ({ uuid }) => uuid,
      cell: ({ uuid }) => <span className="mono">{uuid}</span>,
      table: 'on-demand'
    }
  ]
}

/** The state on a card, whose tick says already that the alarm can be acknowledged. */
function StateOnCard({ alarm, ack }: { alarm: Alarm; ack: ShownAck }) {
  return (
    <>
      <StateBadge alarm={alarm} />{' '}
      <span className={ack === 'unacked' ? 'sr-only' : undefined}>{ACK_STATES[ack]}</span>
    </>
  )
}

/** The state of an alarm, with “Retry” if the device did not confirm the acknowledgement. */
function StateCell<A extends Alarm>({ alarm, ackOf, onAcknowledge }: { alarm: A } & AlarmCells<A>) {
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

interface DeviceLinkProps {
  alarm: Alarm
  name: DeviceName | null
  customerPath: string
  customerName: string | null
}

function DeviceLink({ alarm, name, customerPath, customerName }: DeviceLinkProps) {
  if (customerName !== null)
    return (
      <span className="both-names">
        <PrefetchLink to={customerPath}>{customerName}</PrefetchLink>
        {name && (
          <>
            <span className="muted"> · </span>
            <PrefetchLink to={paths.device(customerPath, name.deviceUuid)} className="device-name">
              <ClippedText text={name.deviceName} />
            </PrefetchLink>
          </>
        )}
      </span>
    )
  if (!name) return <span className="muted">{alarm.deviceId}</span>
  return (
    <PrefetchLink to={paths.device(customerPath, name.deviceUuid)} className="both-names">
      <DeviceText name={name.deviceName} />
      <span className="muted"> · </span>
      <span className="muted">{name.projectName}</span>
    </PrefetchLink>
  )
}
