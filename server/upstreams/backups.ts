// `/api/v1/recover`: saved backups of a customer's devices (upstream contract, A-4).
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'
import type { Bearer, UpstreamClient } from './client.ts'
import { raw, text } from './fields.ts'
import { fetchAll } from './hal.ts'

/** Uuids of the devices with a good backup since then: one call for each 1,000 backups. */
export async function fetchSavedDevices(
  client: UpstreamClient,
  customerId: string,
  sinceMs: number,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<Set<string>> {
  const query = new URLSearchParams({ from: new Date(sinceMs).toISOString(), sort: 'backupDate,desc' })
  const path = `/api/v1/recover/customers/${encodeURIComponent(customerId)}/backups?${query}`
  const backups = await fetchAll(client, 'RECOVER', path, 'backups', FETCH_PAGE_SIZE, bearer, signal)
  const good = backups.map(raw).filter(({ status }) => status === 'COMPLETE')
  return new Set(good.map(({ deviceUuid }) => text(deviceUuid)))
}
