import useSWR from 'swr'
import type { AlarmOrder } from '#shared/alarms.ts'
import type { Page } from '#shared/entities.ts'
import type { Alarm, StateFilter } from '../lib/alarms.ts'
import { isAbort } from './api-error.ts'
import { type HalList, pageOfHal } from './hal.ts'
import { useKeyOf } from './identity.ts'
import { signalOf, useHold } from './in-flight.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'

export interface AlarmFilter {
  /** Disjoint searches, whose results are shown as one list. Several are what needs action. */
  searches: readonly StateFilter[]
  systemGuids: readonly string[]
  alarmClasses: readonly string[]
  priorityFrom?: number
  priorityTo?: number
  startTime?: string
  keyword: string
}

/** An answer that stands for nothing to search. */
const NOTHING = { items: [], page: { number: 0, size: 0, totalPages: 0, totalElements: 0 } }

/** One page of one search. */
export async function search(
  customerId: string,
  filter: AlarmFilter,
  states: StateFilter,
  { sort, order }: AlarmOrder,
  page: number,
  size: number,
  signal?: AbortSignal
): Promise<Page<Alarm>> {
  const { searches: _searches, ...rest } = filter
  const query = new URLSearchParams({
    page: String(page),
    size: String(size),
    count: 'true',
    sortBy: sort,
    sortDir: order
  })
  const path = `/api/v1/alarms/customers/${encodeURIComponent(customerId)}/alarms:search?${query}`
  const answer = await request<HalList<Alarm>>(path, {
    method: 'POST',
    body: { ...rest, ...states },
    ...(signal ? { signal } : {})
  })
  return pageOfHal(answer, 'alarms')
}

/** One page of what needs action, put together by the gateway. */
function needsAction(
  customerId: string,
  { searches, systemGuids, alarmClasses, ...filter }: AlarmFilter,
  { sort, order }: AlarmOrder,
  page: number,
  size: number,
  signal?: AbortSignal
): Promise<Page<Alarm>> {
  const query = new URLSearchParams({ sort, order, page: String(page), size: String(size) })
  for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(name, String(value))
  for (const guid of systemGuids) query.append('systemGuid', guid)
  for (const one of alarmClasses) query.append('alarmClasses', one)
  for (const state of searches.flatMap(({ sourceStates }) => sourceStates))
    query.append('sourceStates', state)
  const path = `/api/portal/v1/customers/${encodeURIComponent(customerId)}/alarms?${query}`
  return request<Page<Alarm>>(path, signal ? { signal } : {})
}

async function searchAll(
  customerId: string,
  filter: AlarmFilter,
  order: AlarmOrder,
  page: number,
  size: number,
  signal?: AbortSignal
): Promise<Page<Alarm>> {
  const [only, ...others] = filter.searches
  if (!only) return NOTHING
  if (others.length > 0) return needsAction(customerId, filter, order, page, size, signal)
  return search(customerId, filter, only, order, page, size, signal)
}

interface AlarmsWanted {
  customerId: string | null
  filter: AlarmFilter
  order: AlarmOrder
  page: number
  size: number
  /** When it was asked: another time is another question. */
  atMs: number
  /** 0 for not at all. Never in a hidden tab. */
  refreshMs: number
}

interface FoundAlarms extends Load<Page<Alarm>> {
  /** Whether the data answer what is asked now, and not what was asked before. */
  current: boolean
}

export function useAlarms(wanted: AlarmsWanted): FoundAlarms {
  const { customerId, filter, order, page, size, atMs, refreshMs } = wanted
  const keyOf = useKeyOf()
  const family = customerId && `alarms ${customerId} ${JSON.stringify([filter, order, page, size, atMs])}`
  useHold(family)
  const { data, error, isValidating, mutate } = useSWR<
    { family: string | null; found: Page<Alarm> },
    unknown
  >(
    family && keyOf(family),
    async () => ({
      family,
      found: await searchAll(customerId ?? '', filter, order, page, size, signalOf(family ?? ''))
    }),
    { keepPreviousData: true, refreshInterval: refreshMs, revalidateOnFocus: refreshMs > 0 }
  )
  return {
    data: data?.found,
    current: data?.family === family,
    error: isAbort(error) ? undefined : error,
    busy: isValidating,
    reload: () => void mutate()
  }
}

/** How many alarms each of several filters finds. Read when shown and on demand, not with every refresh. */
export function useAlarmCounts(
  customerId: string | null,
  filters: Record<string, AlarmFilter>,
  everyMs: number
): Load<Record<string, number>> {
  const keyOf = useKeyOf()
  const family = customerId && `alarm counts ${customerId} ${JSON.stringify(filters)}`
  useHold(family)
  const { data, error, isValidating, mutate } = useSWR<Record<string, number>, unknown>(
    family && keyOf(family),
    async () => {
      const newest: AlarmOrder = { sort: 'timestamp', order: 'desc' }
      const counted = await Promise.all(
        Object.entries(filters).map(async ([name, filter]) => {
          const pages = await Promise.all(
            filter.searches.map((states) =>
              search(customerId ?? '', filter, states, newest, 0, 1, signalOf(family ?? ''))
            )
          )
          return [name, pages.reduce((sum, { page }) => sum + page.totalElements, 0)] as const
        })
      )
      return Object.fromEntries(counted)
    },
    { keepPreviousData: true, refreshInterval: everyMs }
  )
  return { data, error: isAbort(error) ? undefined : error, busy: isValidating, reload: () => void mutate() }
}
