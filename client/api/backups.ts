import type { Page } from '#shared/entities.ts'
import { useHalPage } from './hal.ts'
import { request } from './request.ts'
import { readAll } from './upstream-list.ts'
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
}

export const backupsPath = (customerId: string) =>
  `/api/v1/recover/customers/${encodeURIComponent(customerId)}/backups`

export function backupPath(customerId: string, backupId: string): string {
  return `${backupsPath(customerId)}/${encodeURIComponent(backupId)}`
}

function pathOf(customerId: string, filter: BackupFilter, { sort, order }: ListOrder): string {
  const query = new URLSearchParams({ sort: `${sort},${order}` })
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value)
  return `${backupsPath(customerId)}?${query}`
}

/** @param page from 0 */
export function useBackups(
  customerId: string | null,
  filter: BackupFilter,
  order: ListOrder,
  page: number,
  size: number
): Load<Page<Backup>> {
  const path = customerId && `${pathOf(customerId, filter, order)}&page=${page}&size=${size}`
  return useHalPage<Backup>(path, 'backups')
}

/** Those of all pages, up to a number. */
export function allBackups(
  customerId: string,
  filter: BackupFilter,
  order: ListOrder,
  max: number,
  signal: AbortSignal
): Promise<Backup[]> {
  return readAll(pathOf(customerId, filter, order), 'backups', (one: Backup) => one, signal, max)
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
