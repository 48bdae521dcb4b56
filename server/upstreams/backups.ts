// Calls of `/api/v1/recover`: lists the saved backups of a customer's devices.
import type { CustomerSource } from './client.ts'
import { id, raw, time } from './fields.ts'
import { fetchAll, readPage } from './hal.ts'

/** A page of backups with up to 4 KB and 100 values each stays within ANSWER_LIMITS (client.ts). Most have 500 bytes. */
const PAGE_SIZE = 500
/** Enough for a month of daily backups of 16,000 devices. */
const RECORDS_MAX = 500_000
/** Maximum number of pages in which the last backup of a device is looked for. */
const OLDER_PAGES_MAX = 2

const pathOf = (customerId: string, query: Record<string, string>) =>
  `/api/v1/recover/customers/${encodeURIComponent(customerId)}/backups?${new URLSearchParams(query)}`

/** Returns the uuids of devices with a complete backup since this time. */
export async function fetchSavedDevices(
  { client, customerId, bearer, signal }: CustomerSource,
  sinceMs: number
): Promise<Set<string>> {
  const list = {
    api: 'RECOVER',
    path: pathOf(customerId, { from: new Date(sinceMs).toISOString(), sort: 'backupDate,desc' }),
    rel: 'backups',
    size: PAGE_SIZE,
    maxPages: RECORDS_MAX / PAGE_SIZE,
    maxRecords: RECORDS_MAX,
    // Background reads count on one call at a time.
    parallel: 1,
    read: savedDevice
  } as const
  return new Set((await fetchAll(client, list, bearer, signal)).filter((uuid) => uuid !== null))
}

export interface LastBackups {
  /** The time of the last complete backup, by device uuid. */
  times: Map<string, string>
  /** Devices without a time have no complete backup since then; null: none at all. */
  since: string | null
}

/** Finds the last complete backup before a time of each of these devices, among the newest 1,000 backups. */
export async function fetchLastBackups(
  { client, customerId, bearer, signal }: CustomerSource,
  beforeMs: number,
  deviceUuids: ReadonlySet<string>
): Promise<LastBackups> {
  const times = new Map<string, string>()
  const query = { to: new Date(beforeMs).toISOString(), sort: 'backupDate,desc', size: String(PAGE_SIZE) }
  let since: string | null = null
  for (let number = 0; number < OLDER_PAGES_MAX; number += 1) {
    const path = pathOf(customerId, { ...query, page: String(number) })
    const { items, next } = readPage(await client.get('RECOVER', path, bearer, signal), 'backups')
    for (const backup of items) {
      const savedAt = time(raw(backup).backupDate)
      const uuid = savedDevice(backup)
      if (savedAt !== '') since = savedAt
      if (uuid !== null && savedAt !== '' && deviceUuids.has(uuid) && !times.has(uuid))
        times.set(uuid, savedAt)
    }
    if (next === null) return { times, since: null }
    if (times.size === deviceUuids.size) break
  }
  return { times, since }
}

/** Reads the device uuid of a backup; null if the backup is not complete. */
function savedDevice(backup: unknown): string | null {
  const { status, deviceUuid } = raw(backup)
  return status === 'COMPLETE' ? id(deviceUuid) : null
}
