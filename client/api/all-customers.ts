import type { CustomerCard, Page } from '#shared/entities.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'
import { useWholeList } from './use-whole-list.ts'

export interface NamedCustomer {
  id: string
  name: string
  scope: string
}

/** Every customer of an integrator that the caller may see, by name; null loads nothing. */
export function useAllCustomers(integratorId: string | null): Load<NamedCustomer[]> {
  return useWholeList(
    integratorId &&
      `/api/portal/v1/organizations/${encodeURIComponent(integratorId)}/customers?size=${PAGE_SIZE_MAX}`,
    readCustomers
  )
}

async function readCustomers(path: string, signal: AbortSignal): Promise<NamedCustomer[]> {
  const all: NamedCustomer[] = []
  for (let number = 0; ; number += 1) {
    const { items, page } = await request<Page<CustomerCard>>(`${path}&page=${number}`, { signal })
    all.push(...items.map(({ id, orgName, scope }) => ({ id, name: orgName, scope })))
    if (number + 1 >= page.totalPages) return all
  }
}
