import type { Export } from '#shared/answers/files.ts'
import { calls } from '#shared/calls.ts'
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
import { useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import type { UnreadExport, WaitedExport } from './export-watch.ts'

export type NewExport = Export['request'] &
  Pick<Export, 'exportName' | 'customerId' | 'startTime' | 'endTime' | 'format' | 'timeZone'>

export const POLL_MS = 5_000

export function isUnderWay({ status }: Export): boolean {
  return status === 'QUEUED' || status === 'RUNNING'
}

/** The announcement of a ready or failed export; null for an export in another state. */
export function finishedExport(savedExport: Export): UnreadExport | null {
  const { id, exportName, customerId, customerName, status, failureReason, completedDate } = savedExport
  if (status !== 'READY' && status !== 'FAILED') return null
  const failure = status === 'READY' ? null : (failureReason ?? '')
  return { id, exportName, customerId, customerName, failure, endedDate: completedDate ?? null }
}

const exportPage = halPage('exports', itself<Export>)

/** A page of the exports of a customer or an organization, polled while a listed export is queued or running. */
export function useExports(
  organizationId: string | null,
  filter: HalFilter,
  view: HalView,
  size: number
): HalList<Export> {
  const { customerId } = filter
  const owner = customerId ? {} : { organizationId: organizationId ?? '' }
  const path = customerId || organizationId ? listPath(calls.exports, { ...owner, ...filter }, view) : null
  const query = useQuery(path && pagePath(path, view, size), exportPage, {
    keepPreviousData: true,
    refreshInterval: (page) => (page?.items.some(isUnderWay) ? POLL_MS : 0)
  })
  return { ...query, all: (max, signal) => allPages(exportPage, max)(String(path), signal) }
}

/** The address of an export's file. Contains the customer, because a link cannot send the customer header. */
export function exportFilePath(savedExport: Export): string {
  return `${calls.exportFile(savedExport.id)}?${new URLSearchParams({ customerId: savedExport.customerId })}`
}

export function readExport(waiting: WaitedExport, signal?: AbortSignal): Promise<Export> {
  return request(calls.export(waiting.id), { customerId: waiting.customerId, signal })
}

export function startExport(newExport: NewExport): Promise<Export> {
  return request(calls.exports, { method: 'POST', body: newExport })
}

export function cancelExport(savedExport: Export): Promise<Export> {
  return request(calls.cancelExport(savedExport.id), { method: 'POST', customerId: savedExport.customerId })
}

export function deleteExport(savedExport: Export): Promise<void> {
  return request(calls.export(savedExport.id), { method: 'DELETE', customerId: savedExport.customerId })
}

const DAY_MS = 86_400_000

/** How many days files are stored, computed from the listed exports; null if unknown. */
export function keptDays(items: readonly Export[]): number | null {
  for (const { status, completedDate, expiresDate } of items) {
    const storedMs = Date.parse(expiresDate ?? '') - Date.parse(completedDate ?? '')
    if (status === 'READY' && storedMs > 0) return Math.max(Math.round(storedMs / DAY_MS), 1)
  }
  return null
}
