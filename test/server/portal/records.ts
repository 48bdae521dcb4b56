// What an upstream's lists become, without an upstream.
import {
  type DeviceRecords,
  deviceReader,
  type SubscriptionRecords,
  subscriptionReader
} from '#server/upstreams/inventory.ts'
import { walkableBytes } from '#server/upstreams/json-bytes.ts'
import type { RecordReader, Records } from '#server/upstreams/records.ts'

/** The list, which may be given as text, read in one go. */
export function recordsOf<K extends string>(
  reader: RecordReader<K>,
  list: string | readonly object[]
): Records<K> {
  const text = typeof list === 'string' ? list : JSON.stringify(list)
  return reader.list(walkableBytes()([Buffer.from(text)]), 0).records
}

export const deviceRecords = (list: readonly object[]): DeviceRecords => recordsOf(deviceReader(), list)
export const subscriptionRecords = (list: readonly object[]): SubscriptionRecords =>
  recordsOf(subscriptionReader(), list)
