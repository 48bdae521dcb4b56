import MessageSquare from 'lucide-react/icons/message-square'
import type { ReactNode } from 'react'
import { AlarmState } from '../../components/alarm-state.tsx'
import type { Column } from '../../components/data-table.tsx'
import type { MenuItem } from '../../components/menu-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { RowActions } from '../../components/row-actions.tsx'
import { type Alarm, bandOf, type ShownAck } from '../../lib/alarms.ts'
import { count } from '../../lib/format.ts'
import { formatMoment } from '../../lib/time.ts'

interface Cells {
  source: (alarm: Alarm) => ReactNode
  /** Null where all are of one device. */
  device: ((alarm: Alarm) => ReactNode) | null
  actions: (alarm: Alarm) => MenuItem[]
  ackOf: (alarm: Alarm) => ShownAck
}

/** Shown only by those who choose them. */
export const HIDDEN_COLUMNS = ['alarmClass', 'normalTime', 'ackRequired', 'alarmTransition', 'uuid']

export function alarmColumns({ source, device, actions, ackOf }: Cells): Column<Alarm>[] {
  return [
    { id: 'sourceName', header: 'Source', sortable: true, cell: source },
    {
      id: 'sourceState',
      header: 'State',
      sortable: true,
      cell: (alarm) => (
        <span className="stacked">
          <AlarmState alarm={alarm} ack={ackOf(alarm)} />
          {alarm.user && (
            <span className="muted" title={alarm.ackTime ? formatMoment(alarm.ackTime) : undefined}>
              by {alarm.user}
            </span>
          )}
        </span>
      )
    },
    { id: 'priority', header: 'Priority', sortable: true, cell: (alarm) => <Priority alarm={alarm} /> },
    {
      id: 'timestamp',
      header: 'Time',
      sortable: true,
      cell: ({ timestamp }) => (
        <span className="stacked">
          <Moment iso={timestamp} />
          <span className="muted">
            <Moment iso={timestamp} as="ago" />
          </span>
        </span>
      )
    },
    {
      id: 'messageText',
      header: 'Message',
      sortable: false,
      cell: ({ messageText, alarmClass, notes }) => (
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
    },
    {
      id: 'alarmClass',
      header: 'Class',
      sortable: true,
      cell: ({ alarmClass }) => alarmClass
    },
    {
      id: 'normalTime',
      header: 'Back to normal',
      sortable: true,
      cell: ({ normalTime }) => <Moment iso={normalTime} />
    },
    {
      id: 'ackRequired',
      header: 'Ack required',
      sortable: false,
      cell: ({ ackRequired }) => (ackRequired ? 'Yes' : 'No')
    },
    {
      id: 'alarmTransition',
      header: 'Transition',
      sortable: false,
      cell: ({ alarmTransition }) => alarmTransition ?? '–'
    },
    { id: 'uuid', header: 'UUID', sortable: false, cell: ({ uuid }) => <span className="mono">{uuid}</span> },
    ...(device ? [{ id: 'device', header: 'Device', sortable: false, cell: device }] : []),
    {
      id: 'actions',
      header: 'Actions',
      sortable: false,
      silent: true,
      cell: (alarm) => <RowActions key={alarm.uuid} name={titleOf(alarm)} items={actions(alarm)} />
    }
  ]
}

export function titleOf({ sourceName, timestamp }: Alarm): string {
  return `alarm ${sourceName}, ${formatMoment(timestamp)}`
}

export function Priority({ alarm: { priority } }: { alarm: Alarm }) {
  const band = bandOf(priority)
  return (
    <span className={`priority ${band?.id ?? ''}`}>
      {priority} <span className="muted">{band?.label}</span>
    </span>
  )
}
