import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { useQuery } from '../../../lib/http/query.ts'
import { pageOf } from '../../../ui/list/pager.tsx'
import { fetchPoints, type PointQuery, usePointPage } from '../../points/api.ts'
import type { Point } from '../../points/point.ts'
import { type PointFilter, passes, searchFor } from './point-filter.ts'

/** Maximum number of points of a device that are filtered here. */
export const SIFTED_POINTS_MAX = 10_000

/**
 * One page of the points that match; while another loads, the previous one stays. Null loads nothing. `unread` is the number of
 * points that were not filtered.
 */
export function useFilteredPoints(customerId: string, query: PointQuery | null, filter: PointFilter) {
  const plan = query && searchFor(query, filter)
  const asked = query && plan && { ...query, ...plan.search }
  const page = usePointPage(customerId, asked && !plan.sift ? asked : null)
  const sifted = useSifted(customerId, asked && plan.sift ? asked : null, filter)
  if (query && plan?.sift) {
    const { data, ...load } = sifted
    const shown = data && { ...pageOf(data.items, String(query.page + 1), query.size), unread: data.unread }
    return { ...load, data: shown }
  }
  return { ...page, data: page.data && { ...page.data, unread: 0 } }
}

function useSifted(customerId: string, query: PointQuery | null, filter: PointFilter) {
  const all = query && { ...query, page: 0, size: PAGE_SIZE_MAX }
  return useQuery(
    all && `sifted points ${customerId} ${JSON.stringify([all, filter])}`,
    (_name, signal) => sift(customerId, all as PointQuery, filter, signal),
    { keepPreviousData: true, revalidateOnFocus: false }
  )
}

async function sift(customerId: string, query: PointQuery, filter: PointFilter, signal: AbortSignal) {
  const items: Point[] = []
  for (let page = 0; ; page += 1) {
    const read = await fetchPoints(customerId, { ...query, page }, signal)
    items.push(...read.items.filter((point) => passes(filter, point)))
    const { size, totalElements, totalPages } = read.page
    const seen = page * size + read.items.length
    const done = read.items.length === 0 || page + 1 >= totalPages || seen >= SIFTED_POINTS_MAX
    if (done) return { items, unread: Math.max(totalElements - seen, 0) }
  }
}
