import type { CustomerCard, Page } from '#shared/entities.ts'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { type Pages, usePages } from './use-pages.ts'

export function useCustomers(organizationId: string | null, keyword: string): Pages<Page<CustomerCard>> {
  const query = new URLSearchParams({ keyword, size: String(CUSTOMER_PAGE_SIZE) })
  const path =
    organizationId && `/api/portal/v1/organizations/${encodeURIComponent(organizationId)}/customers`
  return usePages<Page<CustomerCard>>(path ? `${path}?${query}` : null)
}
