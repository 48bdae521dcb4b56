import type { CustomerCard, ProjectList } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import { calls } from '#shared/calls.ts'
import { CUSTOMER_PAGE_SIZE, PAGE_SIZE_MAX } from '#shared/limits.ts'
import { allPages } from '../../../lib/http/hal.ts'
import {
  get,
  type InfiniteQueryResult,
  type QueryResult,
  useInfiniteQuery,
  useQuery
} from '../../../lib/http/query.ts'
import { CUSTOMER_RELOAD_MS } from '../../../lib/limits.ts'

export function useCustomers(
  organizationId: string | null,
  keyword: string
): InfiniteQueryResult<Page<CustomerCard>> {
  const query = new URLSearchParams({ keyword, size: String(CUSTOMER_PAGE_SIZE) })
  return useInfiniteQuery<Page<CustomerCard>>(
    organizationId ? `${calls.customers(organizationId)}?${query}` : null
  )
}

/** The projects of a customer; a null or empty id loads nothing. */
export function useProjects(customerId: string | null): QueryResult<ProjectList> {
  return useQuery(customerId ? calls.projects(customerId) : null, get<ProjectList>, {
    refreshInterval: CUSTOMER_RELOAD_MS
  })
}

export interface NamedCustomer {
  id: string
  name: string
  scope: string
}

/** All customers of an integrator that the caller may see, sorted by name; a null id loads nothing. */
export function useAllCustomers(integratorId: string | null): QueryResult<NamedCustomer[]> {
  return useQuery(
    integratorId && `${calls.customers(integratorId)}?size=${PAGE_SIZE_MAX}`,
    async (path, signal) => {
      const customers = await allPages(get<Page<CustomerCard>>)(path, signal)
      return customers.map(({ id, orgName, scope }) => ({ id, name: orgName, scope }))
    },
    { keepPreviousData: true }
  )
}
