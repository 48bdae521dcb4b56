import type { AuditLogEntry } from '#shared/answers/management.ts'
import {
  type HalAnswer,
  type HalFilter,
  type HalList,
  type HalView,
  useHalList
} from '../../../lib/http/hal.ts'
import { type Load, useLoad } from '../../../lib/http/query.ts'

function logPath(organizationId: string | null): string | null {
  return organizationId && `/api/v2/management/organizations/${encodeURIComponent(organizationId)}/auditLogs`
}

export function useAuditLog(
  organizationId: string | null,
  filter: HalFilter,
  view: HalView,
  size: number
): HalList<AuditLogEntry> {
  return useHalList(logPath(organizationId), 'auditLogs', filter, view, size)
}

export function useAuditActions(organizationId: string | null): Load<string[]> {
  const path = logPath(organizationId)
  const { data, ...load } = useLoad<HalAnswer<string>>(path && `${path}/search/actions`)
  return { ...load, data: data?._embedded?.actions }
}
