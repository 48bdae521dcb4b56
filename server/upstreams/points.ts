// Calls of `/api/v1/entitymodel`: searches the points of a customer, and fetches points by their ids.
import type { POINT_SEARCHES } from '#shared/answers/customers.ts'
import type { PointModel } from '#shared/answers/points.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import type { CustomerSource } from './client.ts'
import { raw } from './fields.ts'
import { type HalPage, readPage } from './hal.ts'

export type PointSearchType = (typeof POINT_SEARCHES)[number]

export interface PointSource extends CustomerSource {
  /** Searches this system only; by default all systems of the customer. */
  systemGuid?: string
}

/** Returns the first `size` matching points, sorted by name. Throws a 502 problem if the answer is not a list. */
export async function searchPoints(
  source: PointSource,
  searchType: PointSearchType,
  searchText: string,
  size: number
): Promise<Pick<HalPage, 'items' | 'totalElements'>> {
  const page = await search(source, searchType, [searchText], 'CONTAINS', size)
  return { items: page.items.slice(0, size), totalElements: page.totalElements }
}

/** Fetches the points of a system that exist, by `cloudId`. Their fields are not checked. */
export async function fetchPointsById(
  source: PointSource & { systemGuid: string },
  cloudIds: readonly string[]
): Promise<Map<string, Partial<PointModel>>> {
  // Names of other points may equal an id.
  const { items } = await search(source, 'pointNames', cloudIds, 'EQUALS', PAGE_SIZE_MAX)
  const points = items.map((item): Partial<PointModel> => raw(item))
  return new Map(
    points.flatMap((point) => (typeof point.cloudId === 'string' ? [[point.cloudId, point]] : []))
  )
}

async function search(
  { client, customerId, bearer, signal, systemGuid }: PointSource,
  searchType: PointSearchType,
  searchItems: readonly string[],
  comparisonType: 'CONTAINS' | 'EQUALS',
  size: number
): Promise<HalPage> {
  const query = new URLSearchParams({
    page: '0',
    size: String(size),
    count: 'true',
    sortBy: 'displayName',
    sortDir: 'asc'
  })
  const path = `/api/v1/entitymodel/customers/${encodeURIComponent(customerId)}/${searchType}?${query}`
  const body = { systemGuid, searchItems, searchType, comparisonType }
  return readPage(await client.search('ENTITYMODEL', path, body, bearer, signal), 'pointModels')
}
