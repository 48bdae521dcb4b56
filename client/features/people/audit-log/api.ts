import type { AuditLogEntry } from '#shared/answers/management.ts'
import type { Page } from '#shared/answers/parts.ts'
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
import { type QueryResult, useQuery } from '../../../lib/http/query.ts'

const entryPage = halPage('auditLogs', itself<AuditLogEntry>)

export function useAuditLog(
  organizationId: string | null,
  filter: HalFilter,
  view: HalView,
  size: number
): HalList<AuditLogEntry> {
  const path = organizationId && listPath(calls.auditLog(organizationId), filter, view)
  const query = useQuery(path && pagePath(path, view, size), entryPage, { keepPreviousData: true })
  return { ...query, all: (max, signal) => allPages(entryPage, max)(String(path), signal) }
}

const FIRST_PAGE = { sort: 'timestamp', order: 'desc', page: '1' }

/** The first entries that match, and their number; undefined until loaded. A null filter loads nothing. */
export function useAuditEntries(
  organizationId: string | null,
  filter: HalFilter | null,
  order: string,
  size: number
): Page<AuditLogEntry> | undefined {
  const view = { ...FIRST_PAGE, order }
  const path = organizationId && filter && listPath(calls.auditLog(organizationId), filter, view)
  return useQuery(path && pagePath(path, view, size), entryPage, { revalidateOnFocus: false }).data
}

async function readActions(path: string, signal: AbortSignal): Promise<string[]> {
  const { items } = await halPage('actions', itself<string>)(path, signal)
  return items
}

export function useAuditActions(organizationId: string | null): QueryResult<string[]> {
  return useQuery(organizationId && calls.auditActions(organizationId), readActions)
}
