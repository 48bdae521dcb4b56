import { type AlarmOrder, comparing, type StateFilter } from '#shared/alarms.ts'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { Page } from '#shared/answers/parts.ts'
import type { AlarmOfCustomer, OrganizationAlarms } from '#shared/answers/portal.ts'
import { calls, type Query } from '#shared/calls.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { type HalAnswer, itself, pageFrom } from '../../../lib/http/hal.ts'
import { type Load, useLoad, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { usePollMs } from '../../../lib/live/live.ts'

export interface AlarmFilter {
  /** Searches whose results form one list without duplicates. Only “Needs action” has several. */
  searches: readonly StateFilter[]
  systemGuids: readonly string[]
  /** The project that the systems belong to. */
  projectId?: string
  alarmClasses: readonly string[]
  priorityFrom?: number
  priorityTo?: number
  startTime?: string
  endTime?: string
  keyword: string
}

const NEWEST: AlarmOrder = { sort: 'timestamp', order: 'desc' }
const EMPTY_PAGE = { items: [], page: { number: 0, size: 0, totalPages: 0, totalElements: 0 } }

/** Prefixes of the cache keys of a customer's alarms. */
const keyPrefixes = {
  list: (customerId: string) => `alarms ${customerId} `,
  pausedList: (customerId: string) => `paused alarms ${customerId} `,
  counts: (customerId: string) => `alarm counts ${customerId} `,
  ofPoint: (customerId: string) => `alarms of a point ${customerId} `
}

interface PageQuery {
  customerId: string
  filter: AlarmFilter
  order: AlarmOrder
  page: number
  size: number
}

async function search(
  { customerId, filter, order: { sort, order }, page, size }: PageQuery,
  states: StateFilter,
  signal?: AbortSignal
): Promise<Page<Alarm>> {
  const { searches: _searches, projectId: _projectId, ...rest } = filter
  const query = new URLSearchParams({ count: 'true', sortBy: sort, sortDir: order })
  const answer = await request<HalAnswer<Alarm>>(
    `${calls.alarmSearch(customerId)}?page=${page}&size=${size}&${query}`,
    { method: 'POST', body: { ...rest, ...states }, ...(signal ? { signal } : {}) }
  )
  return pageFrom(answer, 'alarms', itself<Alarm>)
}

/** One page of the alarms that need action. The gateway merges it from several searches. */
function needsAction(pageQuery: PageQuery, signal: AbortSignal): Promise<Page<Alarm>> {
  const { customerId, filter, order, page, size } = pageQuery
  const { searches, systemGuids, alarmClasses, ...rest } = filter
  const query = new URLSearchParams({ ...order, page: String(page), size: String(size) })
  for (const [name, value] of Object.entries(rest)) if (value !== '') query.set(name, String(value))
  if (!filter.projectId) for (const guid of systemGuids) query.append('systemGuid', guid)
  for (const alarmClass of alarmClasses) query.append('alarmClasses', alarmClass)
  for (const state of searches.flatMap(({ sourceStates }) => sourceStates))
    query.append('sourceStates', state)
  const path = `${calls.alarmsThatNeedAction(customerId)}?${query}`
  return request<Page<Alarm>>(path, { signal })
}

async function searchAll(pageQuery: PageQuery, signal: AbortSignal): Promise<Page<Alarm>> {
  const [firstSearch, ...otherSearches] = pageQuery.filter.searches
  if (!firstSearch) return EMPTY_PAGE
  return otherSearches.length > 0 ? needsAction(pageQuery, signal) : search(pageQuery, firstSearch, signal)
}

/** Intervals for polling, while the live stream does not say what has changed. */
const LIST_MS = 20_000
const COUNT_MS = 60_000

interface UseAlarmsOptions extends Omit<PageQuery, 'customerId'> {
  /** If null, nothing is loaded. */
  customerId: string | null
  /** A new value reloads the list. */
  atMs: number
  /** Whether the list follows what changes. */
  follows: boolean
}

interface FoundAlarms extends Load<Page<Alarm>> {
  /** False while `data` belongs to the previous filter. */
  current: boolean
}

export function useAlarms(options: UseAlarmsOptions): FoundAlarms {
  const { follows, ...pageQuery } = options
  const pollMs = usePollMs(LIST_MS)
  const customerId = options.customerId ?? ''
  const prefixOf = follows ? keyPrefixes.list : keyPrefixes.pausedList
  const queryKey = customerId && `${prefixOf(customerId)}${JSON.stringify(pageQuery)}`
  const { data, ...load } = useQuery(
    queryKey || null,
    async (_name, signal) => ({ queryKey, found: await searchAll({ ...pageQuery, customerId }, signal) }),
    { keepPreviousData: true, refreshInterval: follows ? pollMs : 0, revalidateOnFocus: follows }
  )
  return { ...load, data: data?.found, current: data?.queryKey === queryKey }
}

interface FoundOrganizationAlarms extends Load<OrganizationAlarms> {
  current: boolean
}

/** The alarms of all customers at this path; a null path loads nothing. */
export function useOrganizationAlarms(path: string | null): FoundOrganizationAlarms {
  const pollMs = usePollMs(LIST_MS)
  const { data, ...load } = useQuery(
    path,
    async (_name, signal) => ({ path, found: await request<OrganizationAlarms>(String(path), { signal }) }),
    {
      keepPreviousData: true,
      // Customers that have not been read yet arrive without an event if they have no alarms.
      refreshInterval: (answer) => (answer?.found.partial.length ? LIST_MS : pollMs)
    }
  )
  return { ...load, data: data?.found, current: data?.path === path }
}

/** Up to `max` alarms of all customers that match the query. */
export async function allOrganizationAlarms(
  organizationId: string,
  query: Query,
  max: number,
  signal: AbortSignal
): Promise<AlarmOfCustomer[]> {
  const alarms: AlarmOfCustomer[] = []
  for (let page = 0; alarms.length < max; page += 1) {
    const path = calls.organizationAlarms(organizationId, { ...query, page, size: PAGE_SIZE_MAX })
    const list = await request<OrganizationAlarms>(path, { signal })
    alarms.push(...list.items)
    if (page + 1 >= list.page.totalPages) break
  }
  return alarms.slice(0, max)
}

/** The number of alarms that match each filter. */
export function useAlarmCounts(
  customerId: string | null,
  filters: Record<string, AlarmFilter>
): Load<Record<string, number>> {
  return useQuery(
    customerId && `${keyPrefixes.counts(customerId)}${JSON.stringify(filters)}`,
    async (_name, signal) => {
      const counts = await Promise.all(
        Object.entries(filters).map(async ([name, filter]) => {
          const pageQuery = { customerId: customerId ?? '', filter, order: NEWEST, page: 0, size: 1 }
          const pages = await Promise.all(filter.searches.map((states) => search(pageQuery, states, signal)))
          return [name, pages.reduce((sum, { page }) => sum + page.totalElements, 0)] as const
        })
      )
      return Object.fromEntries(counts)
    },
    { keepPreviousData: true, refreshInterval: usePollMs(COUNT_MS) }
  )
}

/** The number of a device's alarms that need action; undefined until loaded. */
export function useDeviceAlarmCount(customerId: string, deviceId: string | null): number | undefined {
  const path = (id: string) =>
    `${calls.deviceAlarmCount(customerId, id)}?${new URLSearchParams({ sourceId: id })}`
  return useLoad<{ count: number }>(deviceId && path(deviceId)).data?.count
}

/** Prefixes of the cache keys that a changed alarm makes outdated. A paused list stays as it is. */
export function outdatedAlarmKeys(customerId: string): string[] {
  return [
    keyPrefixes.list(customerId),
    keyPrefixes.counts(customerId),
    keyPrefixes.ofPoint(customerId),
    calls.deviceAlarmCounts(customerId)
  ]
}

const EXPORT_PAGE_SIZE = 1000

/** Up to `max` alarms that match a filter, sorted. Reads all pages of all searches. */
export async function allAlarms(
  customerId: string,
  filter: AlarmFilter,
  order: AlarmOrder,
  max: number,
  signal: AbortSignal
): Promise<Alarm[]> {
  const alarms: Alarm[] = []
  for (const states of filter.searches) {
    for (let page = 0; alarms.length < max; page += 1) {
      const list = await search({ customerId, filter, order, page, size: EXPORT_PAGE_SIZE }, states, signal)
      alarms.push(...list.items)
      if (list.items.length === 0 || page + 1 >= list.page.totalPages) break
    }
  }
  return alarms.sort(comparing(order)).slice(0, max)
}

const ANY_ALARM = {
  searches: [{ sourceStates: [], ackStates: [] }],
  systemGuids: [],
  alarmClasses: [],
  keyword: ''
}
/** The API searches by time, not by id. */
const AROUND_MS = 1_000
const LOOKED_THROUGH_MAX = 4_000

/** An alarm of a customer in any state; without its time, only if it is among the newest. */
export async function findAlarm(
  customerId: string,
  uuid: string,
  timestamp: string,
  signal: AbortSignal
): Promise<Alarm | null> {
  const raisedMs = Date.parse(timestamp)
  const isoAt = (offsetMs: number) => new Date(raisedMs + offsetMs).toISOString()
  const filter = Number.isNaN(raisedMs)
    ? ANY_ALARM
    : { ...ANY_ALARM, startTime: isoAt(-AROUND_MS), endTime: isoAt(AROUND_MS) }
  const alarms = await allAlarms(customerId, filter, NEWEST, LOOKED_THROUGH_MAX, signal)
  return alarms.find((alarm) => alarm.uuid === uuid) ?? null
}

/** An alarm of all customers that need action. */
export async function findOrganizationAlarm(
  organizationId: string,
  uuid: string,
  signal: AbortSignal
): Promise<AlarmOfCustomer | null> {
  for (let page = 0; ; page += 1) {
    const path = calls.organizationAlarms(organizationId, { page, size: PAGE_SIZE_MAX })
    const list = await request<OrganizationAlarms>(path, { signal })
    const alarm = list.items.find((item) => item.uuid === uuid)
    if (alarm || page + 1 >= list.page.totalPages) return alarm ?? null
  }
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

/** The newest alarms of one point. The search only matches words, so this drops alarms of other points. */
export function useRecentAlarms(customerId: string, source: AlarmSource | null): Load<Alarm[]> {
  return useQuery(
    source && `${keyPrefixes.ofPoint(customerId)}${source.systemGuid} ${source.cloudId}`,
    async (_name, signal) => {
      const { systemGuid, displayName } = source as AlarmSource
      const allStates = { sourceStates: [], ackStates: [] }
      const filter = {
        searches: [allStates],
        systemGuids: [systemGuid],
        alarmClasses: [],
        keyword: displayName
      }
      const alarms: Alarm[] = []
      for (let page = 0; page < RECENT_PAGES_MAX; page += 1) {
        const pageQuery = { customerId, filter, order: NEWEST, page, size: RECENT_PAGE_SIZE }
        const list = await search(pageQuery, allStates, signal)
        alarms.push(...list.items.filter((alarm) => isOf(alarm, source as AlarmSource)))
        if (alarms.length >= RECENT_ALARMS || page + 1 >= list.page.totalPages) break
      }
      return alarms.slice(0, RECENT_ALARMS)
    },
    { refreshInterval: usePollMs(RECENT_REFRESH_MS) }
  )
}

/** Compares cloud ids if the alarm has one, because point names are not unique. */
function isOf({ alarmData, sourceName }: Alarm, { cloudId, displayName }: AlarmSource): boolean {
  const alarmCloudId = alarmData?.cloudId
  return alarmCloudId ? alarmCloudId === cloudId : sourceName === displayName
}
