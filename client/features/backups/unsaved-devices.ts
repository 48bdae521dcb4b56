import type { Device, DevicePage } from '#shared/entities.ts'
import { BACKUP_DUE_DAYS, PAGE_SIZE_MAX } from '#shared/limits.ts'
import { readAll } from '../../lib/http/hal.ts'
import { type Load, useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import { type Backup, backupsPath } from './api.ts'

const RECENT_MS = BACKUP_DUE_DAYS * 86_400_000

interface UnsavedDevices {
  devices: { device: Device; lastDate: string | null }[]
  /** Devices with Recover that were looked at. */
  looked: number
  /** False when the customer has more devices than were looked at. */
  complete: boolean
}

/** Devices with Recover without a good backup in the last 30 days. No API knows them: two lists are compared. */
export function useUnsavedDevices(customerId: string, nowMs: number): Load<UnsavedDevices> {
  return useQuery(`${backupsPath(customerId)} unsaved`, (_name, signal) => unsaved(customerId, nowMs, signal))
}

async function unsaved(customerId: string, nowMs: number, signal: AbortSignal): Promise<UnsavedDevices> {
  const list = new URLSearchParams({ size: String(PAGE_SIZE_MAX), service: 'Recover' })
  const [devices, backups] = await Promise.all([
    request<DevicePage>(`/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices?${list}`, {
      signal
    }),
    readAll(`${backupsPath(customerId)}?sort=backupDate,desc`, 'backups', (backup: Backup) => backup, signal)
  ])
  const last = new Map<string, string>()
  for (const { deviceUuid, backupDate, status } of backups) {
    if (status === 'COMPLETE' && backupDate > (last.get(deviceUuid) ?? '')) last.set(deviceUuid, backupDate)
  }
  const withRecover = devices.items.filter(({ subscriptions }) =>
    subscriptions.some(
      ({ offeringCode, endDate }) => offeringCode === 'Recover' && Date.parse(endDate) > nowMs
    )
  )
  return {
    devices: withRecover
      .map((device) => ({ device, lastDate: last.get(device.deviceUuid) ?? null }))
      .filter(({ lastDate }) => lastDate === null || Date.parse(lastDate) < nowMs - RECENT_MS)
      .sort((a, b) => (a.lastDate ?? '').localeCompare(b.lastDate ?? '')),
    looked: withRecover.length,
    complete: devices.page.totalPages <= 1
  }
}
