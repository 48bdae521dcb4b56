import type { Export } from '#shared/answers/files.ts'
import type { Page } from '#shared/entities.ts'
import { readAll, useHalPage } from '../../lib/http/hal.ts'
import type { Load } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import type { UnreadExport, WaitedExport } from './export-watch.ts'

export type NewExport = Export['request'] &
  Pick<Export, 'exportName' | 'customerId' | 'startTime' | 'endTime' | 'format' | 'timeZone'>

const EXPORTS = '/api/v1/egress/exports'
export const POLL_MS = 5_000

export function isUnderWay({ status }: Export): boolean {
  return status === 'QUEUED' || status === 'RUNNING'
}

/** The announcement of an export that is ready or failed; null for any other. */
export function finishedExport(one: Export): UnreadExport | null {
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
function pathOf({ organizationId, sort, order, ...filters }: WantedExports): string | null {
  const query = new URLSearchParams({ sort: `${sort},${order}` })
  const place = filters.customerId ? {} : { organizationId }
  for (const [name, value] of Object.entries({ ...place, ...filters })) if (value) query.set(name, value)
  return filters.customerId || organizationId ? `${EXPORTS}?${query}` : null
}

/** A page of exports, polled while one of them is running. */
export function useExports(wanted: WantedExports, page: number, size: number): Load<Page<Export>> {
  const path = pathOf(wanted)
  return useHalPage<Export>(path && `${path}&page=${page}&size=${size}`, 'exports', {
    refreshInterval: (answer) => (answer?._embedded?.exports?.some(isUnderWay) ? POLL_MS : 0)
  })
}

export async function allExports(wanted: WantedExports, max: number, signal: AbortSignal): Promise<Export[]> {
  const path = pathOf(wanted)
  return path === null ? [] : readAll(path, 'exports', (one: Export) => one, signal, max)
}

function exportPath({ id }: { id: string }): string {
  return `${EXPORTS}/${encodeURIComponent(id)}`
}

/** The address of the file. A plain link cannot send the customer's header. */
export function exportFilePath(one: Export): string {
  return `${exportPath(one)}/download?${new URLSearchParams({ customerId: one.customerId })}`
}

export function readExport(one: WaitedExport, signal?: AbortSignal): Promise<Export> {
  return request(exportPath(one), { customerId: one.customerId, signal })
}

export function startExport(wanted: NewExport): Promise<Export> {
  return request(EXPORTS, { method: 'POST', body: wanted })
}

export function cancelExport(one: Export): Promise<Export> {
  return request(`${exportPath(one)}/cancel`, { method: 'POST', customerId: one.customerId })
}

export function deleteExport(one: Export): Promise<void> {
  return request(exportPath(one), { method: 'DELETE', customerId: one.customerId })
}

const DAY_MS = 86_400_000

/** How many days files are kept, from the listed exports; null if unknown. */
export function keptDays(items: readonly Export[]): number | null {
  for (const { status, completedDate, expiresDate } of items) {
    const ms = Date.parse(expiresDate ?? '') - Date.parse(completedDate ?? '')
    if (status === 'READY' && ms > 0) return Math.max(Math.round(ms / DAY_MS), 1)
  }
  return null
}
