import type { AuditLogEntry } from '#shared/answers/management.ts'
import type { Page } from '#shared/entities.ts'
import { type HalAnswer, readAll, useHalPage } from '../../lib/http/hal.ts'
import { type Load, useLoad } from '../../lib/http/query.ts'

export interface AuditFilter {
  from: string
  to: string
  keyword: string
  actorId: string
  actions: readonly string[]
  resourceType: string
  resourceId: string
  customerId: string
  outcome: string
}

interface AuditOrder {
  sort: string
  order: string
}

function pathOf(organizationId: string, filter: AuditFilter, { sort, order }: AuditOrder): string {
  const query = new URLSearchParams({ sort: `${sort},${order}` })
  const { actions, ...plain } = filter
  for (const [name, value] of Object.entries(plain)) if (value) query.set(name, value)
  for (const action of actions) query.append('action', action)
  return `/api/v2/management/organizations/${encodeURIComponent(organizationId)}/auditLogs?${query}`
}

export function useAuditLog(
  organizationId: string | null,
  filter: AuditFilter,
  order: AuditOrder,
  page: number,
  size: number
): Load<Page<AuditLogEntry>> {
  const path = organizationId && `${pathOf(organizationId, filter, order)}&page=${page}&size=${size}`
  return useHalPage<AuditLogEntry>(path, 'auditLogs')
}

export function useAuditActions(organizationId: string | null): Load<string[]> {
  const base = organizationId && `/api/v2/management/organizations/${encodeURIComponent(organizationId)}`
  const { data, ...load } = useLoad<HalAnswer<string>>(base && `${base}/auditLogs/search/actions`)
  return { ...load, data: data?._embedded?.actions }
}

export function allEntries(
  organizationId: string,
  filter: AuditFilter,
  order: AuditOrder,
  max: number,
  signal: AbortSignal
): Promise<AuditLogEntry[]> {
  return readAll(pathOf(organizationId, filter, order), 'auditLogs', (one: AuditLogEntry) => one, signal, max)
}
