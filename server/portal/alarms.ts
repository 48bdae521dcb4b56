// The alarms of a customer that need action, as one list: the search behind it knows no "or", so that two are made at
// once and their results merged.
import { type AlarmOrder, comparing, NEEDS_ACTION, narrowed } from '#shared/alarms.ts'
import type { Page } from '#shared/entities.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { type AlarmFilter, type AlarmSource, searchAlarms } from '../upstreams/alarms.ts'
import { raw } from '../upstreams/fields.ts'

export interface NeedsActionQuery extends AlarmFilter, AlarmOrder {
  /** Narrows it to some source states. */
  sourceStates: string[]
  /** From 0. */
  page: number
  size: number
}

/**
 * One page of them, and how many there are. As far back as the page goes is read of each search; beyond 1,000 alarms no
 * page is told of: further back the list is found by narrowing it. Throws the upstream's problem.
 */
export async function alarmsThatNeedAction(
  source: AlarmSource,
  { sourceStates, sort, order, page: number, size, ...filter }: NeedsActionQuery
): Promise<Page<unknown>> {
  const depth = Math.min((number + 1) * size, PAGE_SIZE_MAX)
  const parts = await Promise.all(
    narrowed(NEEDS_ACTION, sourceStates).map((states) =>
      searchAlarms(source, { ...filter, ...states }, { sort, order }, depth)
    )
  )
  const totalElements = parts.reduce((sum, part) => sum + part.totalElements, 0)
  const totalPages = Math.min(Math.ceil(totalElements / size), Math.floor(PAGE_SIZE_MAX / size))
  const items = parts
    .flatMap((part) => part.items.map(raw))
    .sort(comparing({ sort, order }))
    .slice(number * size, (number + 1) * size)
  return { items, page: { number, size, totalPages, totalElements } }
}
