// Reads the points of a device from the entity model.

import type { Page } from '#shared/answers/parts.ts'
import type { PointModel } from '#shared/answers/points.ts'
import { calls } from '#shared/calls.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { type HalAnswer, pageFrom } from '../../../lib/http/hal.ts'
import { type QueryResult, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { type Point, pointOf } from './point.ts'
import type { Comparison, SearchType } from './point-search.tsx'

export const POINT_PAGE_SIZE = 25

export interface PointQuery {
  systemGuid: string
  /** Finds points that match any of these texts; an empty list finds all points. */
  items: readonly string[]
  type: SearchType
  comparison: Comparison
  /** The number of the page, from 0. */
  page: number
  size: number
  sort: string
  order: 'asc' | 'desc'
}

const DEFAULTS: Omit<PointQuery, 'systemGuid'> = {
  items: [],
  type: 'pointNames',
  comparison: 'CONTAINS',
  page: 0,
  size: POINT_PAGE_SIZE,
  sort: 'displayName',
  order: 'asc'
}

/** Missing fields select the first page of all points, sorted by name. */
export type PointSearch = Pick<PointQuery, 'systemGuid'> & Partial<PointQuery>

/** One page of points. The previous page stays while the next page loads. */
export function usePointPage(customerId: string, query: PointSearch | null): QueryResult<Page<Point>> {
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
): Promise<Page<Point>> {
  const { systemGuid, items, type, comparison, page, size, sort, order } = { ...DEFAULTS, ...query }
  const path = calls.pointSearch(customerId, type)
  const parameters = new URLSearchParams({
    page: String(page),
    size: String(size),
    count: 'true',
    sortBy: sort,
    sortDir: order
  })
  const body = { systemGuid, searchItems: items, searchType: type, comparisonType: comparison }
  const call = { method: 'POST', body, signal } as const
  const answer = await request<HalAnswer<PointModel>>(`${path}?${parameters}`, call)
  return pageFrom(answer, 'pointModels', pointOf)
}

/** Reads all pages of points, until `max` points or more are read. `unread` is the number of further points. */
export async function fetchAllPoints(
  customerId: string,
  query: PointSearch,
  signal: AbortSignal,
  max = Number.POSITIVE_INFINITY
): Promise<{ items: Point[]; unread: number }> {
  const items: Point[] = []
  for (let number = 0; ; number += 1) {
    const pageQuery = { ...query, page: number, size: PAGE_SIZE_MAX }
    const { items: pageItems, page } = await fetchPoints(customerId, pageQuery, signal)
    items.push(...pageItems)
    const isLast = pageItems.length === 0 || number + 1 >= page.totalPages || items.length >= max
    if (isLast) return { items, unread: Math.max(page.totalElements - items.length, 0) }
  }
}

/** Null if the point does not exist. */
export async function fetchPoint(
  customerId: string,
  systemGuid: string,
  cloudId: string,
  signal: AbortSignal
): Promise<Point | null> {
  const query = { systemGuid, items: [cloudId], comparison: 'EQUALS', size: 1 } as const
  const { items } = await fetchPoints(customerId, query, signal)
  return items.find((point) => point.cloudId === cloudId) ?? null
}

export function usePoint(
  customerId: string,
  systemGuid: string | null,
  cloudId: string
): QueryResult<Point | null> {
  return useQuery(
    systemGuid && cloudId ? `point ${customerId} ${systemGuid} ${cloudId}` : null,
    (_name, signal) => fetchPoint(customerId, String(systemGuid), cloudId, signal)
  )
}
