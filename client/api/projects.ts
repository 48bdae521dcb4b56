import type { ProjectList } from '#shared/entities.ts'
import { CUSTOMER_RELOAD_MS } from '#shared/limits.ts'
import { type Load, useLoad } from './use-load.ts'

/** Null, or an empty id where the address names no customer, loads nothing. */
export function useProjects(customerId: string | null): Load<ProjectList> {
  const path = customerId && `/api/portal/v1/customers/${encodeURIComponent(customerId)}/projects`
  return useLoad<ProjectList>(path || null, { refreshInterval: CUSTOMER_RELOAD_MS })
}
