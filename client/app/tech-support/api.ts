// Tech support: whether global admins may enter an integrator's portal, and since when.

import { useHalPage } from '../../lib/http/hal.ts'
import { type Load, useLoad } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'

const organizationOf = (id: string) => `/api/v2/management/organizations/${encodeURIComponent(id)}`

export function useTechSupport(organizationId: string): Load<boolean> {
  const { data, ...load } = useLoad<{ isTechViewEnabled?: boolean }>(organizationOf(organizationId))
  return { ...load, data: data && data.isTechViewEnabled === true }
}

interface AuditEntry {
  timestamp: string
  actor?: { name?: string }
}

interface TurnedOn {
  /** ISO 8601 UTC. */
  at: string
  by: string | null
}

/** When it was last turned on, by the audit log; null when that does not say. */
export function useTechSupportSince(organizationId: string, wanted: boolean): Load<TurnedOn | null> {
  const query = 'action=TECH_SUPPORT_ENABLED&page=0&size=1&sort=timestamp,desc'
  const path = wanted ? `${organizationOf(organizationId)}/auditLogs?${query}` : null
  const { data, ...load } = useHalPage<AuditEntry>(path, 'auditLogs')
  const [entry] = data?.items ?? []
  return { ...load, data: data && (entry ? { at: entry.timestamp, by: entry.actor?.name ?? null } : null) }
}

export function switchTechSupport(organizationId: string, enable: boolean): Promise<unknown> {
  return request(`${organizationOf(organizationId)}/techSupport?enable=${enable}`, { method: 'PATCH' })
}
