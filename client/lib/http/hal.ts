// Lists of the upstream APIs: items are in `_embedded`, which empty lists may omit.
import { useMemo } from 'react'
import type { SWRConfiguration } from 'swr'
import type { Page } from '#shared/answers/parts.ts'
import { pageOfFullList } from '#shared/calls.ts'
import { pageNumber } from '../use-list-query.ts'
import { type Load, useLoad } from './query.ts'
import { request } from './request.ts'

export interface HalAnswer<Body = never> {
  _embedded?: Record<string, Body[] | undefined>
  page?: Partial<Page<Body>['page']>
}

export const itself = <T>(body: T): T => body

export function pageFrom<Body, T>(answer: HalAnswer<Body>, rel: string, map: (body: Body) => T): Page<T> {
  const items = (answer._embedded?.[rel] ?? []).map((body) => map(body))
  const { number = 0, size = items.length, totalElements = items.length } = answer.page ?? {}
  const totalPages = answer.page?.totalPages ?? Math.max(1, Math.ceil(totalElements / size || 0))
  return { items, page: { number, size, totalPages, totalElements } }
}

/** One page of a list. The previous page stays while the next one loads. A null path loads nothing. */
export function useHalPage<T>(
  path: string | null,
  rel: string,
  options: SWRConfiguration<HalAnswer<T>> = {}
): Load<Page<T>> {
  const { data, ...load } = useLoad<HalAnswer<T>>(path, { keepPreviousData: true, ...options })
  const page = useMemo(() => data && pageFrom(data, rel, itself<T>), [data, rel])
  return { ...load, data: page }
}

/** Query parameters by name. Empty values are not sent. */
export type HalFilter = Readonly<Record<string, string | readonly string[]>>

/** Sort order and page of a list, as in the page's address. */
export interface HalView {
  sort: string
  order: string
  page: string
}

export interface HalList<T> extends Load<Page<T>> {
  /** Reads all pages, up to `max` items. */
  all: (max: number, signal: AbortSignal) => Promise<T[]>
}

/** One page of a filtered and sorted list. A null path loads nothing. */
export function useHalList<T>(
  path: string | null,
  rel: string,
  filter: HalFilter,
  { sort, order, page }: HalView,
  size: number,
  options?: SWRConfiguration<HalAnswer<T>>
): HalList<T> {
  const query = new URLSearchParams({ sort: `${sort},${order}` })
  for (const [name, value] of Object.entries(filter)) {
    const items = typeof value === 'string' ? [value] : value
    for (const item of items) if (item) query.append(name, item)
  }
  const listPath = `${path}?${query}`
  const load = useHalPage<T>(path && `${listPath}&page=${pageNumber(page)}&size=${size}`, rel, options)
  return { ...load, all: async (max, signal) => (path ? readAll(listPath, rel, itself<T>, signal, max) : []) }
}

/** Reads all pages of a list in order, up to `max` items. `path` may have a query. */
export async function readAll<Body, T>(
  path: string,
  rel: string,
  map: (body: Body) => T,
  signal?: AbortSignal,
  max = Number.POSITIVE_INFINITY
): Promise<T[]> {
  const options = signal ? { signal } : {}
  return collect(max, async (number) =>
    pageFrom(await request<HalAnswer<Body>>(pageOfFullList(path, number), options), rel, map)
  )
}

/** Reads all pages of a gateway list in order, up to `max` items. `path` must have a query. */
export function readPages<T>(path: string, max: number, signal?: AbortSignal): Promise<T[]> {
  return collect(max, (number) => request<Page<T>>(`${path}&page=${number}`, signal ? { signal } : {}))
}

async function collect<T>(max: number, fetchPage: (number: number) => Promise<Page<T>>): Promise<T[]> {
  const allItems: T[] = []
  for (let number = 0; allItems.length < max; number += 1) {
    const { items, page } = await fetchPage(number)
    allItems.push(...items)
    if (items.length === 0 || number + 1 >= page.totalPages) break
  }
  return allItems.slice(0, max)
}
