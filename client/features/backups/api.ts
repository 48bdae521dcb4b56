import type { Page } from '#shared/entities.ts'
import { readAll, useHalPage } from '../../lib/http/hal.ts'
import type { Load } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'

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

interface BackupFilter {
  projectId?: string
  deviceUuid?: string
  trigger?: string
  retained?: string
  from?: string
  to?: string
}

interface ListOrder {
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

/** Whether it can be downloaded as it is listed. There is no call for one: it is looked for at its time. */
export async function isKept(customerId: string, { id, deviceUuid, backupDate }: Backup): Promise<boolean> {
  const path = pathOf(
    customerId,
    { deviceUuid, from: backupDate, to: backupDate },
    { sort: 'backupDate', order: 'desc' }
  )
  const found = await readAll(path, 'backups', (one: Backup) => one)
  return found.some((one) => one.id === id)
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
