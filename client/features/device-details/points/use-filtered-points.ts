import type { Page } from '#shared/answers/parts.ts'
import { type QueryResult, useQuery } from '../../../lib/http/query.ts'
import { listOf } from '../../../lib/use-list-query.ts'
import { pageOf } from '../../../ui/list/pager.tsx'
import { fetchAllPoints, type PointQuery, usePointPage } from '../../data/points/api.ts'
import type { Point } from '../../data/points/point.ts'
import { searchTypeNamed } from '../../data/points/point-search.tsx'
import { isFiltered, type PointFilter, passes } from './filters.tsx'

/** Maximum number of a device's points that the browser filters. */
export const SIFTED_POINTS_MAX = 10_000

/** The query to send. A request can contain only one search; with `sift`, the browser filters the answer. */
export function searchFor(query: PointQuery, filter: PointFilter): { query: PointQuery; sift: boolean } {
  const { type, writable, status } = filter
  // The API rejects an unknown search type.
  if (!searchTypeNamed(query.type) || !isFiltered(filter)) return { query, sift: false }
  if (query.items.length > 0 || type === '') return { query, sift: true }
  const byTag = { items: listOf(type), type: 'tagValues', comparison: 'EQUALS' } as const
  return { query: { ...query, ...byTag }, sift: writable + status !== '' }
}

/**
 * One page of the matching points. The previous page stays while another page loads. A null query loads nothing.
 * `unread` is the number of points that were not filtered.
 */
export function useFilteredPoints(
  customerId: string,
  query: PointQuery | null,
  filter: PointFilter
): QueryResult<Page<Point> & { unread?: number }> {
  const plan = query && searchFor(query, filter)
  const page = usePointPage(customerId, plan && !plan.sift ? plan.query : null)
  const { data, ...sifted } = useSifted(customerId, plan?.sift ? plan.query : null, filter)
  if (!query || !plan?.sift) return page
  const shownPage = data && { ...pageOf(data.items, String(query.page + 1), query.size), unread: data.unread }
  return { ...sifted, data: shownPage }
}

function useSifted(customerId: string, query: PointQuery | null, filter: PointFilter) {
  const allQuery = query && { ...query, page: 0 }
  return useQuery(
    allQuery && `sifted points ${customerId} ${JSON.stringify([allQuery, filter])}`,
    (_name, signal) => sift(customerId, allQuery as PointQuery, filter, signal),
    { keepPreviousData: true, revalidateOnFocus: false }
  )
}

async function sift(customerId: string, query: PointQuery, filter: PointFilter, signal: AbortSignal) {
  const { items, unread } = await fetchAllPoints(customerId, query, signal, SIFTED_POINTS_MAX)
  return { items: items.filter((point) => passes(filter, point)), unread }
}
