// Lists as the management API answers them (HAL), and reading one to its end.
import type { Page } from '#shared/entities.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { request } from './request.ts'

interface HalList {
  _embedded?: Record<string, unknown[] | undefined>
  page: Page<unknown>['page']
}

export type HalAnswer = HalList

/** One page of a list; an empty one may lack its items. */
export function pageFrom<T>(answer: HalAnswer, rel: string, map: (body: never) => T): Page<T> {
  const items = (answer._embedded?.[rel] ?? []).map((body) => map(body as never))
  return { items, page: answer.page }
}

/** Every page of a list, one after the other, up to a number of items. `path` may carry a query. */
export async function readAll<T>(
  path: string,
  rel: string,
  map: (body: never) => T,
  signal?: AbortSignal,
  max = Number.POSITIVE_INFINITY
): Promise<T[]> {
  const all: T[] = []
  for (let number = 0; all.length < max; number += 1) {
    const query = new URLSearchParams({ page: String(number), size: String(PAGE_SIZE_MAX) })
    const url = `${path}${path.includes('?') ? '&' : '?'}${query}`
    const answer = await request<HalAnswer>(url, signal ? { signal } : {})
    const { items } = pageFrom(answer, rel, map)
    all.push(...items)
    if (items.length === 0 || number + 1 >= (answer.page?.totalPages ?? 1)) break
  }
  return all.slice(0, max)
}
