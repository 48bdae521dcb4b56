// Calls of `/api/v1/recover`: lists the saved backups of a customer's devices.
import type { CustomerSource } from './client.ts'
import { id, raw } from './fields.ts'
import { fetchAll } from './hal.ts'

/** A page of backups with up to 4 KB and 100 values each stays within ANSWER_LIMITS (client.ts). Most have 500 bytes. */
const PAGE_SIZE = 500
/** Enough for a month of daily backups of 16,000 devices. */
const RECORDS_MAX = 500_000

/** Returns the uuids of devices with a complete backup since this time. */
export async function fetchSavedDevices(
  { client, customerId, bearer, signal }: CustomerSource,
  sinceMs: number
): Promise<Set<string>> {
  const query = new URLSearchParams({ from: new Date(sinceMs).toISOString(), sort: 'backupDate,desc' })
  const list = {
    api: 'RECOVER',
    path: `/api/v1/recover/customers/${encodeURIComponent(customerId)}/backups?${query}`,
    rel: 'backups',
    size: PAGE_SIZE,
    maxPages: RECORDS_MAX / PAGE_SIZE,
    maxRecords: RECORDS_MAX,
    read: savedDevice
  } as const
  return new Set((await fetchAll(client, list, bearer, signal)).filter((uuid) => uuid !== null))
}

/** Reads the device uuid of a backup; null if the backup is not complete. */
function savedDevice(backup: unknown): string | null {
  const { status, deviceUuid } = raw(backup)
  return status === 'COMPLETE' ? id(deviceUuid) : null
}
