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

/** Devices that have Recover, but no good backup in the last 30 days. */
export function useDevicesWithoutBackup(customerId: string, nowMs: number) {
  return useQuery(`${calls.backups(customerId)} missing`, async (_name, signal) => {
    const query = new URLSearchParams({ size: String(PAGE_SIZE_MAX), service: 'Recover' })
    const [devices, backups] = await Promise.all([
      get<DevicePage>(`${calls.devices(customerId, {})}?${query}`, signal),
      allPages(backupPage)(`${calls.backups(customerId)}?sort=backupDate,desc`, signal)
    ])
    if (devices.partial.includes('subscriptions')) throw new ApiError(503)
    const lastDates = new Map<string, string>()
    for (const { deviceUuid, backupDate, status } of backups) {
      if (status === 'COMPLETE' && backupDate > (lastDates.get(deviceUuid) ?? ''))
        lastDates.set(deviceUuid, backupDate)
    }
    const withRecover = devices.items.filter(({ subscriptions }) =>
      subscriptions.some(
        ({ offeringCode, endDate }) => offeringCode === 'Recover' && Date.parse(endDate) > nowMs
      )
    )
    return {
      devices: withRecover
        .map((device) => ({ device, lastDate: lastDates.get(device.deviceUuid) ?? null }))
        .filter(({ lastDate }) => lastDate === null || Date.parse(lastDate) < nowMs - RECENT_MS)
        .sort((a, b) => (a.lastDate ?? '').localeCompare(b.lastDate ?? '')),
      /** The number of loaded devices that have Recover. */
      checked: withRecover.length,
      /** False if the customer has more devices than were loaded. */
      complete: devices.page.totalPages <= 1
    }
  })
}
