// Lists as the upstream APIs answer them: items below `_embedded`, which an empty list may lack.
import type { SWRConfiguration } from 'swr'
import type { Page } from '#shared/entities.ts'
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

/** One page of a list; while another loads, the one before stays. Null loads nothing. */
export function useHalPage<T>(
  path: string | null,
  rel: string,
  options: SWRConfiguration<HalList<T>> = {}
): Load<Page<T>> {
  const { data, ...load } = useLoad<HalList<T>>(path, { keepPreviousData: true, ...options })
  return { ...load, data: data && pageOfHal(data, rel) }
}
