// Lists as the upstream APIs answer them: items below `_embedded`, which an empty list may lack.
import type { SWRConfiguration } from 'swr'
import type { Page } from '#shared/entities.ts'
import { request } from './request.ts'
import { type Load, useLoad } from './use-load.ts'

export interface HalList<T> {
  _embedded?: Record<string, T[] | undefined>
  page?: Page<T>['page']
}

export function pageOfHal<T>(answer: HalList<T>, rel: string): Page<T> {
  const items = answer._embedded?.[rel] ?? []
  const page = answer.page ?? { number: 0, size: items.length, totalPages: 1, totalElements: items.length }
  return { items, page }
}

/** As many as an API gives at once. */
const ALL_PAGE_SIZE = 1000

/** The items of all pages of a list, up to a number. The path has a query. */
export async function allOfHal<T>(path: string, rel: string, max: number, signal: AbortSignal): Promise<T[]> {
  const found: T[] = []
  for (let page = 0; found.length < max; page += 1) {
    const answer = await request<HalList<T>>(`${path}&page=${page}&size=${ALL_PAGE_SIZE}`, { signal })
    const list = pageOfHal(answer, rel)
    found.push(...list.items)
    if (list.items.length === 0 || page + 1 >= list.page.totalPages) break
  }
  return found.slice(0, max)
}

/** One page of a list; while another loads, the one before stays. Null loads nothing. */
export function useHalPage<T>(
  path: string | null,
  rel: string,
  options: SWRConfiguration<HalList<T>> = {}
): Load<Page<T>> {
  const { data, ...load } = useLoad<HalList<T>>(path, { keepPreviousData: true, ...options })
  return { ...load, data: data && pageOfHal(data, rel) }
}
