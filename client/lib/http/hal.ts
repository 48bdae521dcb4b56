// Lists, as the gateway and the upstream APIs answer them. In upstream answers, items are in `_embedded`, which empty lists may omit.
import type { Page } from '#shared/answers/parts.ts'
import { pageOfFullList } from '#shared/calls.ts'
import { pageNumber } from '../use-list-query.ts'
import { get, type QueryResult, type Read } from './query.ts'

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

/** Reads one page of an upstream list. */
export function halPage<Body, T>(rel: string, map: (body: Body) => T): Read<Page<T>> {
  return async (path, signal) => pageFrom(await get<HalAnswer<Body>>(path, signal), rel, map)
}

/** Reads all pages of a list in order, up to `max` items. */
export function allPages<T>(readPage: Read<Page<T>>, max = Number.POSITIVE_INFINITY): Read<T[]> {
  return async (path, signal) => {
    const allItems: T[] = []
    for (let number = 0; allItems.length < max; number += 1) {
      const { items, page } = await readPage(pageOfFullList(path, number), signal)
      allItems.push(...items)
      if (items.length === 0 || number + 1 >= page.totalPages) break
    }
    return allItems.slice(0, max)
  }
}

/** Query parameters by name. Empty values are not sent. */
export type HalFilter = Readonly<Record<string, string | readonly string[]>>

/** Sort order and page of a list, as in the page's address. */
export interface HalView {
  sort: string
  order: string
  page: string
}

export interface HalList<T> extends QueryResult<Page<T>> {
  /** Reads all pages, up to `max` items. */
  all: (max: number, signal: AbortSignal) => Promise<T[]>
}

/** The path of a filtered and sorted list. */
export function listPath(path: string, filter: HalFilter, { sort, order }: HalView): string {
  const query = new URLSearchParams({ sort: `${sort},${order}` })
  for (const [name, value] of Object.entries(filter)) {
    const items = typeof value === 'string' ? [value] : value
    for (const item of items) if (item) query.append(name, item)
  }
  return `${path}?${query}`
}

/** The path of the page of a list that the view shows. */
export function pagePath(path: string, { page }: HalView, size: number): string {
  return `${path}&page=${pageNumber(page)}&size=${size}`
}
