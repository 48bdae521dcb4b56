// The columns of every board of alarms. A cell has two facts that belong together.
import Check from 'lucide-react/icons/check'
import MessageSquare from 'lucide-react/icons/message-square'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { count } from '../../../lib/format.ts'
import { useTablet } from '../../../lib/layout.ts'
import { paths } from '../../../lib/paths.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { unbroken } from '../../../ui/unbroken.tsx'
import { bandOf } from '../priorities/bands.ts'
import { ACK_STATES, isUnacked, type ShownAck, SOURCE_STATES } from './alarm.ts'
import { AlarmState, StateBadge } from './alarm-state.tsx'
import type { AlarmScope } from './scope.ts'

export interface AlarmCells {
  scope: AlarmScope
  ackOf: (alarm: Alarm) => ShownAck
  onOpen: (alarm: AlarmOfCustomer) => void
  onAcknowledge: (alarm: AlarmOfCustomer) => void
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

export function alarmColumns(cells: AlarmCells): ListColumn<AlarmOfCustomer>[] {
  return [
    fileColumn('Time', ({ timestamp }) => timestamp),
    ...mainColumns(cells),
    ...placeColumns(cells.scope),
    ...recordColumns()
  ]
}

function mainColumns(cells: AlarmCells): ListColumn<AlarmOfCustomer>[] {
  const { ackOf, onOpen, scope } = cells
  return [
    {
      // Of all customers, alarms of a band are sorted by time.
      id: scope.organizationId === null ? 'priority' : 'band',
      header: 'Priority',
      width: 5.5,
      whole: true,
      sort: 'priority',
      first: 'asc',
      value: ({ priority }) => priority,
      cell: ({ priority }) => (
        <span className={`stacked priority ${bandOf(priority)?.id ?? ''}`}>
          <strong>{priority}</strong>
          <small>{bandOf(priority)?.label}</small>
        </span>
      ),
      card: { as: 'fact', cell: ({ priority }) => bandOf(priority)?.label ?? priority }
    },
    fileColumn('Band', ({ priority }) => bandOf(priority)?.label),
    {
      id: 'sourceName',
      header: 'Source and message',
      width: 9,
      csv: 'Source',
      namesRow: true,
      sort: 'source',
      first: 'asc',
      value: ({ sourceName }) => sourceName,
      cell: (alarm) => (
        <span className="stacked">
          <SourceButton alarm={alarm} onOpen={onOpen} />
          <small className="message">
            {alarm.messageText}
            <NoteCount alarm={alarm} />
          </small>
        </span>
      ),
      card: {
        as: 'heading',
        cell: (alarm) => (
          <span className="stacked">
            <SourceButton alarm={alarm} onOpen={onOpen} />
            <small className="message">{alarm.messageText}</small>
            <small className="place">{unbroken(placeText(alarm, scope))}</small>
          </span>
        )
      }
    },
    {
      id: 'sourceState',
      header: 'State',
      width: 7.5,
      whole: true,
      sort: 'state',
      value: ({ sourceState }) => SOURCE_STATES[sourceState]?.label ?? sourceState,
      cell: (alarm) => <StateCell alarm={alarm} {...cells} />,
      card: { as: 'fact', cell: (alarm) => <StateOnCard alarm={alarm} ack={ackOf(alarm)} /> }
    },
    fileColumn('Acknowledgement', ({ ackState }) => ACK_STATES[ackState] ?? ackState),
    fileColumn('Message', ({ messageText }) => messageText)
  ]
}

function placeColumns(scope: AlarmScope): ListColumn<AlarmOfCustomer>[] {
  const place: ListColumn<AlarmOfCustomer> = {
    id: 'place',
    header: scope.organizationId === null ? 'Device' : 'Customer and device',
    width: 9.5,
    csv: false,
    value: (alarm) => placeText(alarm, scope),
    cell: (alarm) => <Place alarm={alarm} scope={scope} />
  }
  const raised: ListColumn<AlarmOfCustomer> = {
    id: 'timestamp',
    header: 'Raised',
    width: 6.5,
    whole: true,
    sort: 'time',
    first: 'desc',
    align: 'end',
    cell: ({ timestamp }) => <Age iso={timestamp} />,
    card: { as: 'fact', cell: ({ timestamp }) => <Age iso={timestamp} /> }
  }
  if (scope.device !== null) return [raised, ...DEVICE_FILE_COLUMNS]
  if (scope.organizationId === null) return [place, raised, ...DEVICE_FILE_COLUMNS]
  const sorted: ListColumn<AlarmOfCustomer> = { ...place, id: 'customer', sort: 'customer', first: 'asc' }
  const customerName = fileColumn<AlarmOfCustomer>('Customer', ({ customer }) => customer.orgName)
  return [sorted, raised, customerName, ...DEVICE_FILE_COLUMNS]
}

const DEVICE_FILE_COLUMNS = [
  fileColumn<AlarmOfCustomer>('Device', ({ device, deviceId }) => device?.deviceName ?? deviceId),
  fileColumn<AlarmOfCustomer>('Project', ({ device }) => device?.projectName)
]

function recordColumns(): ListColumn<AlarmOfCustomer>[] {
  return [
    {
      id: 'alarmClass',
      header: 'Class',
      sort: 'class',
      first: 'asc',
      value: ({ alarmClass }) => alarmClass,
      table: 'on-demand',
      card: 'more'
    },
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

function SourceButton({ alarm, onOpen }: { alarm: AlarmOfCustomer } & Pick<AlarmCells, 'onOpen'>) {
  return (
    <button type="button" className="link-button source" onClick={() => onOpen(alarm)}>
      {alarm.sourceName}
    </button>
  )
}

function NoteCount({ alarm: { notes } }: { alarm: Alarm }) {
  if (notes.length === 0) return null
  return (
    <span className="note-count muted" title={count(notes.length, 'note')}>
      <MessageSquare />
      {notes.length}
      <span className="sr-only"> notes</span>
    </span>
  )
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
function StateCell({ alarm, ackOf, onAcknowledge }: { alarm: AlarmOfCustomer } & AlarmCells) {
  const ack = ackOf(alarm)
  return (
    <span className="stacked">
      <AlarmState alarm={alarm} ack={ack} />
      {ack === 'unconfirmed' && (
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

const AGE_UPDATE_MS = 30_000

/** The age of an alarm. The date shows while the mouse is on the age, or the focus on the alarm's source. */
function Age({ iso }: { iso: string }) {
  useTick(AGE_UPDATE_MS)
  return (
    <span className="age">
      <Timestamp iso={iso} as="short-ago" />
    </span>
  )
}

/** A line never starts with the dot. */
const BETWEEN = '\u00a0· '

type PlaceProps = { alarm: AlarmOfCustomer; scope: AlarmScope }

function placeText({ customer, device, deviceId }: AlarmOfCustomer, scope: AlarmScope): string {
  if (scope.device !== null) return ''
  const names = device ? [device.deviceName, device.projectName] : [deviceId]
  const isOfMany = scope.organizationId !== null
  const places = [isOfMany && customer.orgName, ...(isOfMany && !device ? [] : names)]
  return places.filter(Boolean).join(BETWEEN)
}

/** Whose alarm it is. Links of two lines are too low for a finger: on touch, the details of the alarm have them. */
function Place({ alarm, scope }: PlaceProps) {
  const { customer, device, deviceId } = alarm
  const isOfMany = scope.organizationId !== null
  const hasLinks = !useTablet()
  const customerPath = scope.customerPathOf(customer)
  const deviceName = device && hasLinks && (
    <PrefetchLink to={paths.device(customerPath, device.deviceUuid)}>
      {unbroken(device.deviceName)}
    </PrefetchLink>
  )
  if (!isOfMany)
    return (
      <span className="stacked place">
        <strong>{deviceName || unbroken(device?.deviceName ?? deviceId)}</strong>
        <small>{device?.projectName}</small>
      </span>
    )
  return (
    <span className="stacked place">
      <strong>
        {hasLinks ? <PrefetchLink to={customerPath}>{customer.orgName}</PrefetchLink> : customer.orgName}
      </strong>
      {device && (
        <small>
          {deviceName || unbroken(device.deviceName)}
          {device.projectName && BETWEEN + device.projectName}
        </small>
      )}
    </span>
  )
}
