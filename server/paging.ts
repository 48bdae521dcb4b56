import type { Page } from '#shared/answers/parts.ts'

/** One page of the items, numbered from 0. A page after the last one is empty, but has correct totals. */
export function pageOf<T>(items: readonly T[], number: number, size: number): Page<T> {
  return {
    items: items.slice(number * size, (number + 1) * size),
    page: { number, size, totalPages: Math.ceil(items.length / size), totalElements: items.length }
  }
}
