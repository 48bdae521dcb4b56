import type { Page } from '#shared/entities.ts'
import { readAll, useHalPage } from '../../lib/http/hal.ts'
import type { Load } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import type { UnreadExport, WaitedExport } from './export-watch.ts'

export type ExportStatus = 'QUEUED' | 'RUNNING' | 'READY' | 'FAILED' | 'CANCELLED' | 'EXPIRED'

export interface SavedExport {
  id: string
  exportName: string
  customerId: string
  customerName: string | null
  status: ExportStatus
  /** 0 to 100. */
  progress: number
  format: 'CSV' | 'JSON'
  timeZone: string
  startTime: string
  endTime: string
  pointCount: number
  rowCount: number | null
  sizeBytes: number | null
  createdBy: string
  createdDate: string
  completedDate: string | null
  expiresDate: string | null
  failureReason: string | null
  request: { selectedPoints: SelectedPoints[] }
}

export interface SelectedPoints {
  systemGuid: string
  pointIds: string[]
}

export interface NewExport {
  exportName: string
  customerId: string
  selectedPoints: SelectedPoints[]
  startTime: string
  endTime: string
  format: 'CSV' | 'JSON'
  timeZone: string
}

const EXPORTS = '/api/v1/egress/exports'
export const POLL_MS = 5_000

export function isUnderWay({ status }: SavedExport): boolean {
  return status === 'QUEUED' || status === 'RUNNING'
}

/** What is announced of an export that is ready or failed; null for any other. */
export function finishedExport(one: SavedExport): UnreadExport | null {
  const { id, exportName, status, failureReason, completedDate } = one
  if (status !== 'READY' && status !== 'FAILED') return null
  const failure = status === 'READY' ? null : (failureReason ?? '')
  return { id, exportName, failure, endedDate: completedDate ?? null }
}

interface WantedExports {
  organizationId: string | null
  customerId: string
  status: string
  /** The creator's full name. */
  createdBy: string
  keyword: string
  sort: string
  order: string
}

/** Null without an organization or customer. */
function pathOf(wanted: WantedExports): string | null {
  const { organizationId, customerId, status, createdBy, keyword, sort, order } = wanted
  const query = new URLSearchParams({ sort: `${sort},${order}` })
  if (customerId) query.set('customerId', customerId)
  else if (organizationId) query.set('organizationId', organizationId)
  if (status) query.set('status', status)
  if (createdBy) query.set('createdBy', createdBy)
  if (keyword) query.set('keyword', keyword)
  return customerId || organizationId ? `${EXPORTS}?${query}` : null
}

/** A page of exports, polled while one of them is running. */
export function useExports(wanted: WantedExports, page: number, size: number): Load<Page<SavedExport>> {
  const path = pathOf(wanted)
  return useHalPage<SavedExport>(path && `${path}&page=${page}&size=${size}`, 'exports', {
    refreshInterval: (answer) => (answer?._embedded?.exports?.some(isUnderWay) ? POLL_MS : 0)
  })
}

export async function allExports(
  wanted: WantedExports,
  max: number,
  signal: AbortSignal
): Promise<SavedExport[]> {
  const path = pathOf(wanted)
  return path === null ? [] : readAll(path, 'exports', (one: SavedExport) => one, signal, max)
}

function exportPath({ id }: { id: string }): string {
  return `${EXPORTS}/${encodeURIComponent(id)}`
}

/** The address of the file. A plain link cannot send the customer's header. */
export function exportFilePath(one: SavedExport): string {
  return `${exportPath(one)}/download?${new URLSearchParams({ customerId: one.customerId })}`
}

export function readExport(
  one: Pick<WaitedExport, 'id' | 'customerId'>,
  signal?: AbortSignal
): Promise<SavedExport> {
  return request(exportPath(one), { customerId: one.customerId, ...(signal ? { signal } : {}) })
}

export function startExport(wanted: NewExport): Promise<SavedExport> {
  return request(EXPORTS, { method: 'POST', body: wanted })
}

export function cancelExport(one: SavedExport): Promise<SavedExport> {
  return request(`${exportPath(one)}/cancel`, { method: 'POST', customerId: one.customerId })
}

export function deleteExport(one: SavedExport): Promise<void> {
  return request(exportPath(one), { method: 'DELETE', customerId: one.customerId })
}

const DAY_MS = 86_400_000

/** How many days files are kept, from the listed exports; null if unknown. */
export function keptDays(items: readonly SavedExport[]): number | null {
  for (const { status, completedDate, expiresDate } of items) {
    const ms = Date.parse(expiresDate ?? '') - Date.parse(completedDate ?? '')
    if (status === 'READY' && ms > 0) return Math.max(Math.round(ms / DAY_MS), 1)
  }
  return null
}
