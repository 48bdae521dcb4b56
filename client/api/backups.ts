import type { Page } from '#shared/entities.ts'
import { useHalPage } from './hal.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'

/** */
export interface Backup {
  id: string
  deviceUuid: string
  deviceName: string
  hostId: string
  stationName: string
  backupDate: string
  trigger: 'MANUAL' | 'SCHEDULED'
  status: 'RUNNING' | 'COMPLETE' | 'FAILED'
  sizeBytes: number | null
  niagaraVersion: string
  notes: string | null
  retained: boolean
  checksum: string | null
}

export interface BackupFilter {
  deviceUuid?: string
  trigger?: string
  retained?: string
  from?: string
  to?: string
}

export interface ListOrder {
  sort: string
  order: string
  /** From 0. */
  page: number
  size: number
}

export const backupsPath = (customerId: string) =>
  `/api/v1/recover/customers/${encodeURIComponent(customerId)}/backups`

export function backupPath(customerId: string, backupId: string): string {
  return `${backupsPath(customerId)}/${encodeURIComponent(backupId)}`
}

export function useBackups(
  customerId: string | null,
  filter: BackupFilter,
  { sort, order, page, size }: ListOrder
): Load<Page<Backup>> {
  const query = new URLSearchParams({ page: String(page), size: String(size), sort: `${sort},${order}` })
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value)
  return useHalPage<Backup>(customerId && `${backupsPath(customerId)}?${query}`, 'backups')
}

export function changeBackup(
  customerId: string,
  backupId: string,
  change: Partial<Pick<Backup, 'notes' | 'retained'>>
): Promise<Backup> {
  return request(backupPath(customerId, backupId), { method: 'PATCH', body: change })
}

export function deleteBackup(customerId: string, backupId: string): Promise<void> {
  return request(backupPath(customerId, backupId), { method: 'DELETE' })
}
