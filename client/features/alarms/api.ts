import { type AlarmOrder, comparing } from '#shared/alarms.ts'
import type { Page } from '#shared/entities.ts'
import { type HalAnswer, pageFrom } from '../../lib/http/hal.ts'
import { type Load, useLoad, useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import type { Alarm, StateFilter } from './alarm.ts'

export interface AlarmFilter {
  /** Disjoint searches, whose results are shown as one list. Several are what needs action. */
  searches: readonly StateFilter[]
  systemGuids: readonly string[]
  /** Of which those systems are, where they are those of a project. */
  projectId?: string
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
  const { searches: _searches, projectId: _projectId, ...rest } = filter
  const query = new URLSearchParams({
    page: String(page),
    size: String(size),
    count: 'true',
    sortBy: sort,
    sortDir: order
  })
  const path = `/api/v1/alarms/customers/${encodeURIComponent(customerId)}/alarms:search?${query}`
  const answer = await request<HalAnswer<Alarm>>(path, {
    method: 'POST',
    body: { ...rest, ...states },
    ...(signal ? { signal } : {})
  })
  return pageFrom(answer, 'alarms', (alarm) => alarm)
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
  if (!filter.projectId) for (const guid of systemGuids) query.append('systemGuid', guid)
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

const READ_BACK_MAX = 1000

/** Those of the alarms that nobody has acknowledged yet, by uuid. */
export async function readOpen(customerId: string, alarms: readonly Alarm[]): Promise<Set<string>> {
  const unacked: StateFilter = { sourceStates: [], ackStates: ['unacked'] }
  const filter = {
    searches: [unacked],
    systemGuids: [...new Set(alarms.map(({ systemGuid }) => systemGuid))],
    alarmClasses: [],
    startTime: alarms.map(({ timestamp }) => timestamp).sort()[0] ?? '',
    keyword: ''
  }
  const newest: AlarmOrder = { sort: 'timestamp', order: 'asc' }
  const { items } = await search(customerId, filter, unacked, newest, 0, READ_BACK_MAX)
  const asked = new Set(alarms.map(({ uuid }) => uuid))
  return new Set(items.map(({ uuid }) => uuid).filter((uuid) => asked.has(uuid)))
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
  const name = customerId && `alarms ${customerId} ${JSON.stringify([filter, order, page, size, atMs])}`
  const { data, ...load } = useQuery(
    name,
    async (_name, signal) => ({
      name,
      found: await searchAll(customerId ?? '', filter, order, page, size, signal)
    }),
    { keepPreviousData: true, refreshInterval: refreshMs, revalidateOnFocus: refreshMs > 0 }
  )
  return { ...load, data: data?.found, current: data?.name === name }
}

/** How many alarms each of several filters finds. Read when shown and on demand, not with every refresh. */
export function useAlarmCounts(
  customerId: string | null,
  filters: Record<string, AlarmFilter>,
  everyMs: number
): Load<Record<string, number>> {
  const newest: AlarmOrder = { sort: 'timestamp', order: 'desc' }
  return useQuery(
    customerId && `alarm counts ${customerId} ${JSON.stringify(filters)}`,
    async (_name, signal) => {
      const counted = await Promise.all(
        Object.entries(filters).map(async ([name, filter]) => {
          const pages = await Promise.all(
            filter.searches.map((states) => search(customerId ?? '', filter, states, newest, 0, 1, signal))
          )
          return [name, pages.reduce((sum, { page }) => sum + page.totalElements, 0)] as const
        })
      )
      return Object.fromEntries(counted)
    },
    { keepPreviousData: true, refreshInterval: everyMs }
  )
}

/** How many alarms of a device want a look; undefined while it is not known, or may not be. */
export function useDeviceAlarmCount(customerId: string, deviceId: string | null): number | undefined {
  const path = (id: string) =>
    `/api/v1/alarms/customers/${encodeURIComponent(customerId)}/devices/${encodeURIComponent(id)}/alarms/count?${new URLSearchParams({ sourceId: id })}`
  return useLoad<{ count: number }>(deviceId && path(deviceId)).data?.count
}

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
