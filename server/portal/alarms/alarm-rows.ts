// The alarms of all customers as rows: what is searched, and by what they are sorted.
import { PRIORITY_BANDS } from '#shared/alarms.ts'
import { type Raw, text } from '../../upstreams/fields.ts'
import type { RowKind } from '../reading-lists.ts'
import type { AlarmReading } from '../readings/alarm-reading.ts'

const TIMES = ['timestamp', 'normalTime', 'ackTime']

export const ALARM_ROWS: RowKind<AlarmReading, Raw> = {
  itemsOf: ({ alarms }) => alarms,
  searched: ({ sourceName, messageText, alarmClass }, { orgName }) => [
    text(sourceName),
    text(messageText),
    text(alarmClass),
    orgName
  ],
  tie: ({ timestamp }) => timeOf(timestamp),
  id: ({ uuid }) => text(uuid),
  sortKey(sort, { item, customer }) {
    if (sort === 'customer') return customer.orgName
    if (sort === 'priority') return priorityOf(item)
    if (sort === 'band') return PRIORITY_BANDS.findIndex(({ to }) => priorityOf(item) <= to)
    return TIMES.includes(sort) ? timeOf(item[sort]) : text(item[sort])
  }
}

/** The priority; the least urgent one for an alarm without. */
export function priorityOf({ priority }: Raw): number {
  return typeof priority === 'number' && priority >= 1 && priority <= 255 ? priority : 255
}

/** Milliseconds since 1970; 0 for no time. */
function timeOf(value: unknown): number {
  return Date.parse(text(value)) || 0
}
