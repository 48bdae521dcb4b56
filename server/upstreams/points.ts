// Calls of `/api/v1/entitymodel`: searches the points of a customer.
import type { POINT_SEARCHES } from '#shared/answers/customers.ts'
import type { CustomerSource } from './client.ts'
import { type HalPage, readPage } from './hal.ts'

export type PointSearchType = (typeof POINT_SEARCHES)[number]

export interface PointSource extends CustomerSource {
  /** Searches this system only; by default all systems of the customer. */
  systemGuid?: string
}

/** Returns the first `size` matching points, sorted by name. Throws a 502 problem if the answer is not a list. */
export async function searchPoints(
  { client, customerId, bearer, signal, systemGuid }: PointSource,
  searchType: PointSearchType,
  searchText: string,
  size: number
): Promise<Pick<HalPage, 'items' | 'totalElements'>> {
  const query = new URLSearchParams({
    page: '0',
    size: String(size),
    count: 'true',
    sortBy: 'displayName',
    sortDir: 'asc'
  })
  const path = `/api/v1/entitymodel/customers/${encodeURIComponent(customerId)}/${searchType}?${query}`
  const body = { systemGuid, searchItems: [searchText], searchType, comparisonType: 'CONTAINS' }
  const page = readPage(await client.search('ENTITYMODEL', path, body, bearer, signal), 'pointModels')
  return { items: page.items.slice(0, size), totalElements: page.totalElements }
}
