import { type AlarmOrder, comparing } from '#shared/alarms.ts'
import type { Alarm } from '../lib/alarms.ts'
import { type AlarmFilter, search } from './alarms.ts'

const PAGE = 1000

/** The alarms of all pages of all searches, up to a number, as one list in the given order. */
export async function allAlarms(
  customerId: string,
  filter: AlarmFilter,
  order: AlarmOrder,
  max: number,
  signal: AbortSignal
): Promise<Alarm[]> {
  const found: Alarm[] = []
  for (const states of filter.searches) {
    for (let page = 0; found.length < max; page += 1) {
      const list = await search(customerId, filter, states, order, page, PAGE, signal)
      found.push(...list.items)
      if (list.items.length === 0 || page + 1 >= list.page.totalPages) break
    }
  }
  return found.sort(comparing(order)).slice(0, max)
}
