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

/** Number of alarms that `alarmParts` remembers, to return none of them again. */
const REMEMBERED_MAX = 1_000
/** An API whose total goes up and down must not keep `alarmParts` from the end of the list. */
const STEPS_BACK_MAX = 100

/**
 * All alarms in this order, in parts. The next part is fetched when it is needed. Alarms that arrive in between move others to
 * the next part, which leaves them out. If alarms leave, the next part begins earlier by as many: so none is skipped, unless
 * others have arrived behind the place that has been reached.
 */
export async function* alarmParts(
  source: CustomerSource,
  filter: AlarmFilter & StateFilter,
  order: AlarmOrder
): AsyncGenerator<Raw[], void, void> {
  let from = 0
  let totalBefore = 0
  let stepsBack = 0
  let remembered: unknown[] = []
  for (;;) {
    // Whole pages, because others take two calls.
    const pageFrom = from - (from % PAGE_SIZE)
    const page = await searchAlarms(source, filter, order, { from: pageFrom, count: PAGE_SIZE })
    const left = totalBefore - page.totalElements
    totalBefore = page.totalElements
    if (left > 0 && stepsBack < STEPS_BACK_MAX) {
      from = Math.max(0, from - left)
      stepsBack += 1
      continue
    }
    const uuidsBefore = new Set(remembered)
    const alarms = page.items.slice(from - pageFrom).map(raw)
    const others = alarms.filter(({ uuid }) => uuid == null || !uuidsBefore.has(uuid))
    yield others
    remembered = [...remembered, ...others.map(({ uuid }) => uuid)].slice(-REMEMBERED_MAX)
    from = pageFrom + PAGE_SIZE
    if (page.items.length === 0 || from >= page.totalElements) return
  }
}
