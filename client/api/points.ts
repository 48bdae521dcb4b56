// Points of a device by the entity model (§7, A-9).
import type { Comparison, SearchType } from '../lib/point-search.ts'
import { type Point, type PointModel, pointOf } from '../lib/points.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'
import { usePostLoad } from './use-post-load.ts'

export const POINT_PAGE_SIZE = 25

export interface PointQuery {
  systemGuid: string
  /** Texts, any of which is enough; none finds everything. */
  items: readonly string[]
  type: SearchType
  comparison: Comparison
  /** From 0. */
  page: number
  size: number
  sort: string
  order: 'asc' | 'desc'
}

export interface PointPage {
  items: Point[]
  page: { number: number; size: number; totalPages: number; totalElements: number }
}

interface Answer {
  _embedded?: { pointModels?: PointModel[] }
  page?: Partial<PointPage['page']>
}

function question(customerId: string, query: PointQuery) {
  const { systemGuid, items, type, comparison, page, size, sort, order } = query
  const parameters = new URLSearchParams({
    page: String(page),
    size: String(size),
    count: 'true',
    sortBy: sort,
    sortDir: order
  })
  return {
    path: `/api/v1/entitymodel/customers/${encodeURIComponent(customerId)}/${encodeURIComponent(type)}?${parameters}`,
    body: { systemGuid, searchItems: items, searchType: type, comparisonType: comparison }
  }
}

function pageOf({ _embedded, page }: Answer, { size }: PointQuery): PointPage {
  const items = (_embedded?.pointModels ?? []).map(pointOf)
  const totalElements = page?.totalElements ?? items.length
  const totalPages = page?.totalPages ?? Math.ceil(totalElements / size)
  return { items, page: { number: page?.number ?? 0, size: page?.size ?? size, totalPages, totalElements } }
}

/** One page of points; while another loads, the one before stays. */
export function usePointPage(customerId: string, query: PointQuery | null): Load<PointPage> {
  const { data, ...load } = usePostLoad<Answer>(query && question(customerId, query), {
    keepPreviousData: true
  })
  return { ...load, data: data && query ? pageOf(data, query) : undefined }
}

export async function fetchPoints(
  customerId: string,
  query: PointQuery,
  signal?: AbortSignal
): Promise<PointPage> {
  const { path, body } = question(customerId, query)
  return pageOf(await request<Answer>(path, { method: 'POST', body, ...(signal ? { signal } : {}) }), query)
}

/** The search that finds points of a device by their identifiers. */
function byCloudId(systemGuid: string, cloudIds: readonly string[]): PointQuery {
  const size = Math.max(cloudIds.length, 1)
  return {
    systemGuid,
    items: cloudIds,
    type: 'pointNames',
    comparison: 'EQUALS',
    page: 0,
    size,
    sort: 'displayName',
    order: 'asc'
  }
}

export async function fetchPointsById(
  customerId: string,
  systemGuid: string,
  cloudIds: readonly string[],
  signal?: AbortSignal
): Promise<Point[]> {
  const { items } = await fetchPoints(customerId, byCloudId(systemGuid, cloudIds), signal)
  return items.filter(({ cloudId }) => cloudIds.includes(cloudId))
}

/** `data` is null for a point that there is not. */
export function usePoint(customerId: string, systemGuid: string | null, cloudId: string): Load<Point | null> {
  const load = usePointPage(customerId, systemGuid && cloudId ? byCloudId(systemGuid, [cloudId]) : null)
  const found = load.data?.items.find((point) => point.cloudId === cloudId)
  // While another point is looked for, the page of the one before still shows.
  return { ...load, data: load.data && (found ?? (load.busy ? undefined : null)) }
}

export type PointCounts = Record<SearchType, number>

/** How many points the same words find in each place: three calls of size 1 (§7). */
export async function countPoints(
  customerId: string,
  query: PointQuery,
  signal?: AbortSignal
): Promise<PointCounts> {
  const count = async (type: SearchType) =>
    (await fetchPoints(customerId, { ...query, type, page: 0, size: 1 }, signal)).page.totalElements
  const [pointNames, tagNames, tagValues] = await Promise.all([
    count('pointNames'),
    count('tagNames'),
    count('tagValues')
  ])
  return { pointNames, tagNames, tagValues }
}
