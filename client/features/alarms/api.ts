import type { StateFilter } from '#shared/alarms.ts'
import { type AlarmOrder, comparing } from '#shared/alarms.ts'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { Page } from '#shared/entities.ts'
import { type HalAnswer, itself, pageFrom } from '../../lib/http/hal.ts'
import { type Load, useLoad, useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'

export interface AlarmFilter {
  /** Their results do not overlap and form one list. Only the preset "Needs action" has several. */
  searches: readonly StateFilter[]
  systemGuids: readonly string[]
  /** The project that the systems belong to. */
  projectId?: string
  alarmClasses: readonly string[]
  priorityFrom?: number
  priorityTo?: number
  startTime?: string
  keyword: string
}

const NEWEST: AlarmOrder = { sort: 'timestamp', order: 'desc' }
const NOTHING = { items: [], page: { number: 0, size: 0, totalPages: 0, totalElements: 0 } }

interface Question {
  customerId: string
  filter: AlarmFilter
  order: AlarmOrder
  page: number
  size: number
}

const pathOf = (customerId: string) => `/api/v1/alarms/customers/${encodeURIComponent(customerId)}`

async function search(
  { customerId, filter, order: { sort, order }, page, size }: Question,
  states: StateFilter,
  signal?: AbortSignal
): Promise<Page<Alarm>> {
  const { searches: _searches, projectId: _projectId, ...rest } = filter
  const query = new URLSearchParams({ count: 'true', sortBy: sort, sortDir: order })
  const answer = await request<HalAnswer<Alarm>>(
    `${pathOf(customerId)}/alarms:search?page=${page}&size=${size}&${query}`,
    { method: 'POST', body: { ...rest, ...states }, ...(signal ? { signal } : {}) }
  )
  return pageFrom(answer, 'alarms', itself<Alarm>)
}

/** One page of the alarms that need action, which the gateway merges. */
function needsAction(question: Question, signal: AbortSignal): Promise<Page<Alarm>> {
  const { customerId, filter, order, page, size } = question
  const { searches, systemGuids, alarmClasses, ...rest } = filter
  const query = new URLSearchParams({ ...order, page: String(page), size: String(size) })
  for (const [name, value] of Object.entries(rest)) if (value !== '') query.set(name, String(value))
  if (!filter.projectId) for (const guid of systemGuids) query.append('systemGuid', guid)
  for (const one of alarmClasses) query.append('alarmClasses', one)
  for (const state of searches.flatMap(({ sourceStates }) => sourceStates))
    query.append('sourceStates', state)
  const path = `/api/portal/v1/customers/${encodeURIComponent(customerId)}/alarms?${query}`
  return request<Page<Alarm>>(path, { signal })
}

async function searchAll(question: Question, signal: AbortSignal): Promise<Page<Alarm>> {
  const [only, ...others] = question.filter.searches
  if (!only) return NOTHING
  return others.length > 0 ? needsAction(question, signal) : search(question, only, signal)
}

interface AlarmsWanted extends Omit<Question, 'customerId'> {
  /** Null loads nothing. */
  customerId: string | null
  /** Changing it reloads the list. */
  atMs: number
  /** 0 disables refreshing. Hidden pages are not refreshed. */
  refreshMs: number
}

interface FoundAlarms extends Load<Page<Alarm>> {
  /** False while the data belong to the previous filter. */
  current: boolean
}

export function useAlarms(wanted: AlarmsWanted): FoundAlarms {
  const { refreshMs, ...question } = wanted
  const customerId = wanted.customerId ?? ''
  const name = customerId && `alarms ${JSON.stringify(question)}`
  const { data, ...load } = useQuery(
    name || null,
    async (_name, signal) => ({ name, found: await searchAll({ ...question, customerId }, signal) }),
    { keepPreviousData: true, refreshInterval: refreshMs, revalidateOnFocus: refreshMs > 0 }
  )
  return { ...load, data: data?.found, current: data?.name === name }
}

/** The number of alarms of each filter. */
export function useAlarmCounts(
  customerId: string | null,
  filters: Record<string, AlarmFilter>,
  everyMs: number
): Load<Record<string, number>> {
  return useQuery(
    customerId && `alarm counts ${customerId} ${JSON.stringify(filters)}`,
    async (_name, signal) => {
      const counted = await Promise.all(
        Object.entries(filters).map(async ([name, filter]) => {
          const question = { customerId: customerId ?? '', filter, order: NEWEST, page: 0, size: 1 }
          const pages = await Promise.all(filter.searches.map((states) => search(question, states, signal)))
          return [name, pages.reduce((sum, { page }) => sum + page.totalElements, 0)] as const
        })
      )
      return Object.fromEntries(counted)
    },
    { keepPreviousData: true, refreshInterval: everyMs }
  )
}

/** The number of a device's alarms that need action; undefined until it is loaded. */
export function useDeviceAlarmCount(customerId: string, deviceId: string | null): number | undefined {
  const path = (id: string) =>
    `${pathOf(customerId)}/devices/${encodeURIComponent(id)}/alarms/count?${new URLSearchParams({ sourceId: id })}`
  return useLoad<{ count: number }>(deviceId && path(deviceId)).data?.count
}

const PAGE = 1000

/** The alarms of all pages of all searches, in the given order. */
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
      const list = await search({ customerId, filter, order, page, size: PAGE }, states, signal)
      found.push(...list.items)
      if (list.items.length === 0 || page + 1 >= list.page.totalPages) break
    }
  }
  return found.sort(comparing(order)).slice(0, max)
}

const RECENT_ALARMS = 5
const RECENT_PAGE_SIZE = 25
const RECENT_PAGES_MAX = 4
const RECENT_REFRESH_MS = 20_000

interface AlarmSource {
  systemGuid: string
  cloudId: string
  displayName: string
}

/** The newest alarms of one point. The search finds words, so alarms of other points are filtered out here. */
export function useRecentAlarms(customerId: string, source: AlarmSource | null): Load<Alarm[]> {
  return useQuery(
    source && `recent alarms ${customerId} ${source.systemGuid} ${source.cloudId}`,
    async (_name, signal) => {
      const { systemGuid, displayName } = source as AlarmSource
      const any = { sourceStates: [], ackStates: [] }
      const filter = { searches: [any], systemGuids: [systemGuid], alarmClasses: [], keyword: displayName }
      const found: Alarm[] = []
      for (let page = 0; page < RECENT_PAGES_MAX; page += 1) {
        const question = { customerId, filter, order: NEWEST, page, size: RECENT_PAGE_SIZE }
        const read = await search(question, any, signal)
        found.push(...read.items.filter((alarm) => isOf(alarm, source as AlarmSource)))
        if (found.length >= RECENT_ALARMS || page + 1 >= read.page.totalPages) break
      }
      return found.slice(0, RECENT_ALARMS)
    },
    { refreshInterval: RECENT_REFRESH_MS }
  )
}

/** Compares point ids if the alarm has one, because point names are not unique. */
function isOf({ alarmData, sourceName }: Alarm, { cloudId, displayName }: AlarmSource): boolean {
  const named = alarmData?.cloudId
  return named ? named === cloudId : sourceName === displayName
}
