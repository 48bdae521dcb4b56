// Reads the alarms of a customer that need action: their number, and the newest of them.
import { hash } from 'node:crypto'
import { type AlarmOrder, OPEN_ACKS } from '#shared/alarms.ts'
import type { CustomerSource } from '../../upstreams/client.ts'
import { type Raw, text } from '../../upstreams/fields.ts'
import { merged, searchNeedsAction } from '../alarms/customer-alarms.ts'
import { boundedAlarm } from './bounded-alarm.ts'

/** Maximum number of alarms of a customer in memory: more than a person looks through in a list of all customers. */
export const ALARMS_READ = 100

/** What a read has found. The same object as before if nothing has changed. */
export interface AlarmReading {
  count: number
  /** How many of them are not back to normal. */
  activeCount: number
  /** How many of them are not acknowledged; at least so many if more than ALARMS_READ are active. */
  unackedCount: number
  /** When the newest alarm was raised. */
  newestAt: string | null
  /** Equal for equal alarms. */
  tag: string
  /** The newest alarms, newest first. */
  alarms: readonly Raw[]
  /** Whether another replica has read newer alarms, of which only the counts are known here. */
  isOutdated?: boolean
  /** Size in memory, roughly. */
  bytes: number
}

const NEWEST: AlarmOrder = { sort: 'timestamp', order: 'desc' }
const isUnacked = ({ ackState }: Raw) => OPEN_ACKS.some((state) => state === ackState)

/** Makes two calls: the two searches of the alarm list. Throws the upstream's problem. */
export async function readAlarms(source: CustomerSource): Promise<AlarmReading> {
  const found = await searchNeedsAction(source, NEWEST, ALARMS_READ)
  const parts = found.map(({ items, total }) => ({ items: items.map(boundedAlarm), total }))
  const [active, backToNormal] = parts
  const { items, total: count } = merged(parts, NEWEST)
  const alarms = items.slice(0, ALARMS_READ)
  const activeCount = active?.total ?? 0
  const unackedCount = (active?.items.filter(isUnacked).length ?? 0) + (backToNormal?.total ?? 0)
  const json = JSON.stringify([count, activeCount, unackedCount, alarms])
  return {
    count,
    activeCount,
    unackedCount,
    newestAt: text(alarms[0]?.timestamp) || null,
    tag: hash('sha256', json, 'base64url').slice(0, 16),
    alarms,
    bytes: json.length
  }
}
