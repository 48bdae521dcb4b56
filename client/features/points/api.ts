// Points of a device by the entity model.
import type { PointModel } from '#shared/answers/points.ts'
import type { Page } from '#shared/entities.ts'
import { type HalAnswer, pageFrom } from '../../lib/http/hal.ts'
import { type Load, useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import { type Point, pointOf } from './point.ts'
import { type Comparison, SEARCH_TYPES, type SearchType } from './point-search.tsx'

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

export type PointPage = Page<Point>

const DEFAULTS: Omit<PointQuery, 'systemGuid'> = {
  items: [],
  type: 'pointNames',
  comparison: 'CONTAINS',
  page: 0,
  size: POINT_PAGE_SIZE,
  sort: 'displayName',
  order: 'asc'
}

/** Defaults to the first page of all points by name. */
export type PointSearch = Pick<PointQuery, 'systemGuid'> & Partial<PointQuery>

function question(customerId: string, query: PointSearch) {
  const { systemGuid, items, type, comparison, page, size, sort, order } = { ...DEFAULTS, ...query }
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

/** One page of points; the previous one stays while another loads. */
export function usePointPage(customerId: string, query: PointSearch | null): Load<PointPage> {
  return useQuery(
    query && `points ${customerId} ${JSON.stringify(query)}`,
    (_name, signal) => fetchPoints(customerId, query as PointSearch, signal),
    { keepPreviousData: true }
  )
}

export async function fetchPoints(
  customerId: string,
  query: PointSearch,
  signal?: AbortSignal
): Promise<PointPage> {
  const { path, body } = question(customerId, query)
  const answer = await request<HalAnswer<PointModel>>(path, {
    method: 'POST',
    body,
    signal
  })
  return pageFrom(answer, 'pointModels', pointOf)
}

/** The search that finds points of a device by their identifiers. */
function byCloudId(systemGuid: string, cloudIds: readonly string[]): PointSearch {
  return { systemGuid, items: cloudIds, comparison: 'EQUALS', size: Math.max(cloudIds.length, 1) }
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

/** `data` is null if the point does not exist. */
export function usePoint(customerId: string, systemGuid: string | null, cloudId: string): Load<Point | null> {
  const load = usePointPage(customerId, systemGuid && cloudId ? byCloudId(systemGuid, [cloudId]) : null)
  const found = load.data?.items.find((point) => point.cloudId === cloudId)
  // The page of the previous point still shows while another loads.
  return { ...load, data: load.data && (found ?? (load.busy ? undefined : null)) }
}

export type PointCounts = Record<SearchType, number>

/** How many points the words find in each field: three calls of size 1. */
export async function countPoints(
  customerId: string,
  query: PointSearch,
  signal?: AbortSignal
): Promise<PointCounts> {
  const count = async (type: SearchType) =>
    (await fetchPoints(customerId, { ...query, type, page: 0, size: 1 }, signal)).page.totalElements
  const [pointNames = 0, tagNames = 0, tagValues = 0] = await Promise.all(SEARCH_TYPES.map(count))
  return { pointNames, tagNames, tagValues }
}
