// Reads the alarms of a customer that need action: their number, and the newest of them.
import { hash } from 'node:crypto'
import type { Clock } from '../../types.ts'
import type { CustomerSource } from '../../upstreams/client.ts'
import { type Raw, text } from '../../upstreams/fields.ts'
import { alarmsThatNeedAction } from './customer-alarms.ts'

/** Maximum number of alarms of a customer in memory: more than a person looks through in a list of all customers. */
export const ALARMS_READ = 100

export interface AlarmReading {
  count: number
  /** The newest alarms, newest first. */
  alarms: readonly Raw[]
  /** When the newest alarm was raised. */
  newestAt: string | null
  /** Equal for equal alarms. */
  tag: string
  /** The start of the read, in milliseconds since 1970. */
  readAt: number
  /** Size in memory, roughly. */
  bytes: number
}

/** Makes two calls: the two searches of the alarm list. Throws the upstream's problem. */
export async function readAlarms(source: CustomerSource, clock: Clock): Promise<AlarmReading> {
  const readAt = clock()
  const query = { sort: 'timestamp', order: 'desc', sourceStates: [], page: 0, size: ALARMS_READ } as const
  const { items, page } = await alarmsThatNeedAction(source, { ...query, sourceStates: [] })
  const alarms = items as Raw[]
  const json = JSON.stringify([page.totalElements, alarms])
  return {
    count: page.totalElements,
    alarms,
    newestAt: text(alarms[0]?.timestamp) || null,
    tag: hash('sha256', json, 'base64url').slice(0, 16),
    readAt,
    bytes: json.length
  }
}
