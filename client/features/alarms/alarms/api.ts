import type { AlarmOrder, AlarmsShown } from '#shared/alarms.ts'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { CustomerName } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import type { AlarmOfCustomer, OrganizationAlarms, Problem } from '#shared/answers/portal.ts'
import { calls, type Query } from '#shared/calls.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { allPages } from '../../../lib/http/hal.ts'
import { LINES_TYPE, linesOf } from '../../../lib/http/lines.ts'
import { get, type QueryResult, useQuery } from '../../../lib/http/query.ts'
import { answerOf } from '../../../lib/http/request.ts'
import { usePollMs } from '../../../lib/live/live.ts'
import { followedAlarmsKey } from '../../data/history/chart/chart-alarms.ts'

/** The filters of a customer's alarms, named as in the gateway's call. An alarm must match all of them. */
export interface AlarmFilter {
  show: AlarmsShown
  sourceStates: readonly string[]
  systemGuid?: string
  projectId?: string
  alarmClasses: readonly string[]
  priorityFrom?: number
  priorityTo?: number
  startTime?: string
  endTime?: string
  keyword: string
}

const NEWEST: AlarmOrder = { sort: 'timestamp', order: 'desc' }
const OLDEST: AlarmOrder = { sort: 'timestamp', order: 'asc' }

/** Prefixes of the cache keys of a customer's alarms. */
const keyPrefixes = {
  list: (customerId: string) => `alarms ${customerId} `,
  pausedList: (customerId: string) => `paused alarms ${customerId} `,
  counts: (customerId: string) => `alarm counts ${customerId} `,
  ofPoint: (customerId: string) => `alarms of a point ${customerId} `,
  opened: (customerId: string) => `opened alarm ${customerId} `
}

interface PageQuery {
  customerId: string
  filter: AlarmFilter
  order: AlarmOrder
  page: number
  size: number
}

function pathOf({ customerId, filter, order, page, size }: PageQuery): string {
  return calls.customerAlarms(customerId, { ...filter, ...order, page, size })
}

const search = (query: PageQuery, signal: AbortSignal): Promise<Page<Alarm>> =>
  get<Page<Alarm>>(pathOf(query), signal)

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

interface FoundAlarms extends QueryResult<Page<Alarm>> {
  /** False while `data` belongs to the previous filter. */
  current: boolean
}

export function useAlarms(options: UseAlarmsOptions): FoundAlarms {
  const { follows, ...pageQuery } = options
  const pollMs = usePollMs(LIST_MS)
  const customerId = options.customerId ?? ''
  const prefixOf = follows ? keyPrefixes.list : keyPrefixes.pausedList
  const queryKey = customerId && `${prefixOf(customerId)}${JSON.stringify(pageQuery)}`
  const { data, ...result } = useQuery(
    queryKey || null,
    async (_name, signal) => ({ queryKey, found: await search({ ...pageQuery, customerId }, signal) }),
    { keepPreviousData: true, refreshInterval: follows ? pollMs : 0, revalidateOnFocus: follows }
  )
  return { ...result, data: data?.found, current: data?.queryKey === queryKey }
}

interface FoundOrganizationAlarms extends QueryResult<OrganizationAlarms> {
  current: boolean
}

/** The alarms of all customers at this path; a null path loads nothing. */
export function useOrganizationAlarms(path: string | null): FoundOrganizationAlarms {
  const pollMs = usePollMs(LIST_MS)
  const { data, ...result } = useQuery(
    path,
    async (_name, signal) => ({ path, found: await get<OrganizationAlarms>(String(path), signal) }),
    {
      keepPreviousData: true,
      // Customers that have not been read yet arrive without an event if they have no alarms.
      refreshInterval: (answer) => (answer?.found.partial.length ? LIST_MS : pollMs)
    }
  )
  return { ...result, data: data?.found, current: data?.path === path }
}

/** Up to `max` alarms of all customers that match the query. */
export function allOrganizationAlarms(
  organizationId: string,
  query: Query,
  max: number,
  signal: AbortSignal
): Promise<AlarmOfCustomer[]> {
  const path = calls.organizationAlarms(organizationId, { ...query, size: PAGE_SIZE_MAX })
  return allPages(get<OrganizationAlarms>, max)(path, signal)
}

/** The number of alarms that match each filter. */
export function useAlarmCounts(
  customerId: string | null,
  filters: Record<string, AlarmFilter>
): QueryResult<Record<string, number>> {
  return useQuery(
    customerId && `${keyPrefixes.counts(customerId)}${JSON.stringify(filters)}`,
    async (_name, signal) => {
      const counts = await Promise.all(
        Object.entries(filters).map(async ([name, filter]) => {
          const pageQuery = { customerId: customerId ?? '', filter, order: NEWEST, page: 0, size: 1 }
          const { page } = await search(pageQuery, signal)
          return [name, page.totalElements] as const
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
  return useQuery(deviceId && path(deviceId), get<{ count: number }>).data?.count
}

/** Prefixes of the cache keys that a changed alarm makes outdated. A paused list stays as it is. */
export function outdatedAlarmKeys(customerId: string): string[] {
  return [
    keyPrefixes.list(customerId),
    keyPrefixes.counts(customerId),
    keyPrefixes.ofPoint(customerId),
    followedAlarmsKey(customerId),
    keyPrefixes.opened(customerId),
    calls.deviceAlarmCounts(customerId)
  ]
}

/** Up to `max` alarms that match a filter, sorted. */
export async function allAlarms(
  customerId: string,
  filter: AlarmFilter,
  order: AlarmOrder,
  max: number,
  signal: AbortSignal
): Promise<Alarm[]> {
  const path = calls.customerAlarms(customerId, { ...filter, ...order })
  const { body } = await answerOf(path, { accept: LINES_TYPE, signal })
  const alarms: Alarm[] = []
  for await (const line of linesOf(body)) {
    const alarm = JSON.parse(line) as Alarm | Problem
    if (!('uuid' in alarm)) throw new ApiError(alarm.status, alarm)
    alarms.push(alarm)
    if (alarms.length >= max) break
  }
  return alarms
}

const ANY_ALARM: AlarmFilter = { show: 'all', sourceStates: [], alarmClasses: [], keyword: '' }
/** The API searches by time, not by id. */
const AROUND_MS = 1_000
/** Maximum number of alarms among which one is sought. */
export const SOUGHT_AMONG = 1_000

export interface SoughtAlarm {
  uuid: string
  /** When it was raised; empty if unknown. */
  timestamp: string
  /** Empty if unknown: then the alarms of all customers of the organization are searched. */
  customerId: string
  organizationId: string
  /** Undefined for any device of the customer. */
  systemGuid: string | undefined
}

/** Looks for one alarm. `found` is null if there is none. */
export function useSoughtAlarm(
  sought: SoughtAlarm | null
): QueryResult<{ found: Alarm | AlarmOfCustomer | null }> {
  return useQuery(
    sought && keyPrefixes.opened(sought.customerId) + JSON.stringify(sought),
    async (_name, signal) => {
      const { customerId } = sought as SoughtAlarm
      const find = customerId === '' ? findOrganizationAlarm : findAlarm
      return { found: await find(sought as SoughtAlarm, signal) }
    }
  )
}

/** An alarm of a customer in any state; without its time, only if it is among the newest. */
async function findAlarm(
  { customerId, systemGuid, uuid, timestamp }: SoughtAlarm,
  signal: AbortSignal
): Promise<Alarm | null> {
  const filter = systemGuid === undefined ? ANY_ALARM : { ...ANY_ALARM, systemGuid }
  const raisedMs = Date.parse(timestamp)
  const alarms = Number.isNaN(raisedMs)
    ? await allAlarms(customerId, filter, NEWEST, SOUGHT_AMONG, signal)
    : await allAlarms(customerId, raisedSince(filter, raisedMs - AROUND_MS), OLDEST, SOUGHT_AMONG, signal)
  return alarms.find((alarm) => alarm.uuid === uuid) ?? null
}

function raisedSince(filter: AlarmFilter, ms: number): AlarmFilter {
  return { ...filter, startTime: new Date(ms).toISOString() }
}

/** An alarm of any customer: one that needs action, or one of the newest of each customer. */
async function findOrganizationAlarm(
  { organizationId, uuid }: SoughtAlarm,
  signal: AbortSignal
): Promise<AlarmOfCustomer | null> {
  for (let page = 0; ; page += 1) {
    const path = calls.organizationAlarms(organizationId, { page, size: PAGE_SIZE_MAX })
    const list = await get<OrganizationAlarms>(path, signal)
    const alarm = list.items.find((item) => item.uuid === uuid)
    if (alarm) return alarm
    if (page + 1 < list.page.totalPages) continue
    const customers = [...list.totals.map(({ customer }) => customer), ...list.partial]
    return findAtCustomers(new Map(customers.map((customer) => [customer.id, customer])), uuid, signal)
  }
}

const SEARCHED_AT_ONCE = 4

/** Searches a few customers at once, until one of them has the alarm. Throws if it is not found and a search has failed. */
async function findAtCustomers(
  customers: ReadonlyMap<string, CustomerName>,
  uuid: string,
  signal: AbortSignal
): Promise<AlarmOfCustomer | null> {
  const unsearched = customers.values()
  let found: AlarmOfCustomer | null = null
  let failure: unknown
  async function searchInTurn() {
    for (const customer of unsearched) {
      const alarm = await allAlarms(customer.id, ANY_ALARM, NEWEST, SOUGHT_AMONG, signal).then(
        (alarms) => alarms.find((candidate) => candidate.uuid === uuid),
        (error) => {
          failure = error
        }
      )
      if (alarm) found = { ...alarm, customer, device: null }
      if (found || signal.aborted) return
    }
  }
  await Promise.all(Array.from({ length: SEARCHED_AT_ONCE }, searchInTurn))
  if (found === null && failure !== undefined) throw failure
  return found
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
export function useRecentAlarms(customerId: string, source: AlarmSource | null): QueryResult<Alarm[]> {
  return useQuery(
    source && `${keyPrefixes.ofPoint(customerId)}${source.systemGuid} ${source.cloudId}`,
    async (_name, signal) => {
      const { systemGuid, displayName } = source as AlarmSource
      const filter: AlarmFilter = {
        show: 'all',
        sourceStates: [],
        systemGuid,
        alarmClasses: [],
        keyword: displayName
      }
      const alarms: Alarm[] = []
      for (let page = 0; page < RECENT_PAGES_MAX; page += 1) {
        const pageQuery = { customerId, filter, order: NEWEST, page, size: RECENT_PAGE_SIZE }
        const list = await search(pageQuery, signal)
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
