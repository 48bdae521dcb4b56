// Lists as the management API answers them (HAL), and reading one to its end.
import type { Page } from '#shared/entities.ts'
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

const SIZE = 1000

/** Every page of a list, one after the other. `path` may carry a query. */
export async function readAll<T>(
  path: string,
  rel: string,
  map: (body: never) => T,
  signal?: AbortSignal
): Promise<T[]> {
  const all: T[] = []
  for (let number = 0; ; number += 1) {
    const query = new URLSearchParams({ page: String(number), size: String(SIZE) })
    const url = `${path}${path.includes('?') ? '&' : '?'}${query}`
    const answer = await request<HalAnswer>(url, signal ? { signal } : {})
    all.push(...pageFrom(answer, rel, map).items)
    if (number + 1 >= answer.page.totalPages) return all
  }
}
