import type { AuditLogEntry } from '#shared/answers/management.ts'
import { calls } from '#shared/calls.ts'
import {
  type HalAnswer,
  type HalFilter,
  type HalList,
  type HalView,
  useHalList
} from '../../../lib/http/hal.ts'
import { type Load, useLoad } from '../../../lib/http/query.ts'

export function useAuditLog(
  organizationId: string | null,
  filter: HalFilter,
  view: HalView,
  size: number
): HalList<AuditLogEntry> {
  return useHalList(organizationId && calls.auditLog(organizationId), 'auditLogs', filter, view, size)
}

const FIRST = { sort: 'timestamp', order: 'desc', page: '1' }

/** The number of entries that match; undefined until loaded. A null filter loads nothing. */
export function useAuditCount(organizationId: string | null, filter: HalFilter | null): number | undefined {
  const path = organizationId && filter && calls.auditLog(organizationId)
  const options = { keepPreviousData: false }
  return useHalList(path, 'auditLogs', filter ?? {}, FIRST, 1, options).data?.page.totalElements
}

export function useAuditActions(organizationId: string | null): Load<string[]> {
  const { data, ...load } = useLoad<HalAnswer<string>>(organizationId && calls.auditActions(organizationId))
  return { ...load, data: data?._embedded?.actions }
}
