// Calls of `/api/v1/alarms`: searches the alarms of a customer.
import type { AlarmOrder, StateFilter } from '#shared/alarms.ts'
import type { CustomerSource } from './client.ts'
import { type Raw, raw } from './fields.ts'
import { fetchPages, type HalPage, readPage } from './hal.ts'

/** The filters of a search, named as in the API. */
export interface AlarmFilter {
  systemGuids?: string[] | undefined
  alarmClasses?: string[] | undefined
  priorityFrom?: number | undefined
  priorityTo?: number | undefined
  /** ISO 8601. */
  startTime?: string | undefined
  keyword?: string | undefined
}

/** A page of alarms with up to 10 KB and 250 values each stays within ANSWER_LIMITS (client.ts). Most have 500 bytes. */
const PAGE_SIZE = 200

/** A part of a list of alarms. */
interface Part {
  /** The position of the first alarm. */
  from: number
  count: number
}

/** Returns a part of the alarms in this order, and the total. Throws a 502 problem if the answer is not a list. */
export async function searchAlarms(
  { client, customerId, bearer, signal }: CustomerSource,
  filter: AlarmFilter & StateFilter,
  { sort, order }: AlarmOrder,
  { from, count }: Part
): Promise<Pick<HalPage, 'items' | 'totalElements'>> {
  const query = new URLSearchParams({ count: 'true', sortBy: sort, sortDir: order })
  const path = `/api/v1/alarms/customers/${encodeURIComponent(customerId)}/alarms:search?${query}`
  const size = Math.min(count, PAGE_SIZE)
  const first = Math.floor(from / size)
  const pageCount = Math.ceil((from + count) / size)
  const pageAt = async (target: string, pageSignal: AbortSignal) => {
    const page = readPage(await client.search('ALARMS', target, filter, bearer, pageSignal), 'alarms')
    return { ...page, totalPages: Math.min(page.totalPages, pageCount), next: null }
  }
  const pages = await fetchPages({ path, size, first }, pageAt, signal)
  const items = pages.flatMap((page) => page.items.slice(0, size))
  const skipped = from - first * size
  return { items: items.slice(skipped, skipped + count), totalElements: pages[0]?.totalElements ?? 0 }
}

/**
 * All alarms in this order, in parts. The next part is fetched when it is needed. Alarms that arrive in between move others to
 * the next part, which leaves them out.
 */
export async function* alarmParts(
  source: CustomerSource,
  filter: AlarmFilter & StateFilter,
  order: AlarmOrder
): AsyncGenerator<Raw[], void, void> {
  let uuidsBefore = new Set<unknown>()
  for (let from = 0; ; from += PAGE_SIZE) {
    const { items, totalElements } = await searchAlarms(source, filter, order, { from, count: PAGE_SIZE })
    const alarms = items.map(raw)
    yield alarms.filter(({ uuid }) => uuid == null || !uuidsBefore.has(uuid))
    uuidsBefore = new Set(alarms.map(({ uuid }) => uuid))
    if (items.length === 0 || from + PAGE_SIZE >= totalElements) return
  }
}
