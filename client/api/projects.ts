import type { ProjectList } from '#shared/entities.ts'
import { CUSTOMER_RELOAD_MS } from '#shared/limits.ts'
import { type Load, useLoad } from './use-load.ts'

export function useProjects(customerId: string): Load<ProjectList> {
  const path = `/api/portal/v1/customers/${encodeURIComponent(customerId)}/projects`
  return useLoad<ProjectList>(path, { refreshInterval: CUSTOMER_RELOAD_MS })
}
