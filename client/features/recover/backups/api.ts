import type { DevicePage } from '#shared/answers/customers.ts'
import type { Backup } from '#shared/answers/files.ts'
import { calls } from '#shared/calls.ts'
import { BACKUP_DUE_DAYS, PAGE_SIZE_MAX } from '#shared/limits.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import {
  allPages,
  type HalFilter,
  type HalList,
  type HalView,
  halPage,
  itself,
  listPath,
  pagePath
} from '../../../lib/http/hal.ts'
import { get, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'

const backupPage = halPage('backups', itself<Backup>)

export function useBackups(
  customerId: string | null,
  filter: HalFilter,
  view: HalView,
  size: number
): HalList<Backup> {
  const path = customerId && listPath(calls.backups(customerId), filter, view)
  const query = useQuery(path && pagePath(path, view, size), backupPage, { keepPreviousData: true })
  return { ...query, all: (max, signal) => allPages(backupPage, max)(String(path), signal) }
}

/** Whether a backup still exists. The API cannot fetch one backup, so this lists all backups of its time. */
export async function isKept(customerId: string, { id, deviceUuid, backupDate }: Backup): Promise<boolean> {
  const query = new URLSearchParams({ deviceUuid, from: backupDate, to: backupDate })
  const backups = await allPages(backupPage)(`${calls.backups(customerId)}?${query}`)
  return backups.some((backup) => backup.id === id)
}

export function changeBackup(
  customerId: string,
  backupId: string,
  change: Partial<Pick<Backup, 'notes' | 'retained'>>
): Promise<Backup> {
  return request(calls.backup(customerId, backupId), { method: 'PATCH', body: change })
}

export function deleteBackup(customerId: string, backupId: string): Promise<void> {
  return request(calls.backup(customerId, backupId), { method: 'DELETE' })
}

const RECENT_MS = BACKUP_DUE_DAYS * 86_400_000
/** Maximum number of backups in which the last ones of devices without a recent backup are looked for. */
const OLDER_BACKUPS_MAX = PAGE_SIZE_MAX

/** Devices that have Recover, but no good backup in the last 30 days. An empty project id reads all projects. */
export function useDevicesWithoutBackup(customerId: string, projectId: string, nowMs: number) {
  const path = calls.backups(customerId)
  return useQuery(
    `${path} missing ${projectId}`,
    async (_name, signal) => {
      const since = new Date(nowMs - RECENT_MS).toISOString()
      const readBackups = (period: HalFilter, max?: number) =>
        allPages(backupPage, max)(listPath(path, { projectId, ...period }, NEWEST_FIRST), signal)
      const [devices, recent] = await Promise.all([
        get<DevicePage>(
          calls.devices(customerId, { size: PAGE_SIZE_MAX, service: 'Recover', projectId }),
          signal
        ),
        readBackups({ from: since })
      ])
      if (devices.partial.includes('subscriptions')) throw new ApiError(503)
      const recentDates = lastDatesOf(recent)
      const missing = devices.items.filter(({ deviceUuid }) => !recentDates.has(deviceUuid))
      const older = missing.length === 0 ? [] : await readBackups({ to: since }, OLDER_BACKUPS_MAX)
      const olderDates = lastDatesOf(older)
      return {
        devices: missing
          .map((device) => ({ device, lastDate: olderDates.get(device.deviceUuid) ?? null }))
          .sort((a, b) => (a.lastDate ?? '').localeCompare(b.lastDate ?? '')),
        /** Devices without a last date have no good backup since then; null: none at all. */
        noneSince: older.length < OLDER_BACKUPS_MAX ? null : (older.at(-1)?.backupDate ?? null),
        /** The number of loaded devices that have Recover. */
        checked: devices.items.length,
        /** False if there are more devices than were loaded. */
        complete: devices.page.totalPages <= 1
      }
    },
    { revalidateOnFocus: false }
  )
}

const NEWEST_FIRST: HalView = { sort: 'backupDate', order: 'desc', page: '1' }

/** The time of the last good backup, by device uuid. @param backups newest first */
function lastDatesOf(backups: readonly Backup[]): Map<string, string> {
  const dates = new Map<string, string>()
  for (const { deviceUuid, backupDate, status } of backups)
    if (status === 'COMPLETE' && !dates.has(deviceUuid)) dates.set(deviceUuid, backupDate)
  return dates
}
