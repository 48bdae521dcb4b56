// `/api/v1/alarms`: searches of a customer's alarms (upstream contract, A-7).
import type { AlarmOrder, StateFilter } from '#shared/alarms.ts'
import type { Bearer, UpstreamClient } from './client.ts'
import { type HalPage, readPage } from './hal.ts'

/** What the search is asked for, as its API names it. */
export interface AlarmFilter {
  systemGuids?: string[] | undefined
  alarmClasses?: string[] | undefined
  priorityFrom?: number | undefined
  priorityTo?: number | undefined
  /** ISO 8601. */
  startTime?: string | undefined
  keyword?: string | undefined
}

export interface AlarmSource {
  client: UpstreamClient
  customerId: string
  bearer: Bearer
  signal?: AbortSignal
}

/** The first so many, in that order. Throws a 502 problem when the answer is no list. */
export async function searchAlarms(
  { client, customerId, bearer, signal }: AlarmSource,
  filter: AlarmFilter & StateFilter,
  { sort, order }: AlarmOrder,
  size: number
): Promise<HalPage> {
  const query = new URLSearchParams({
    page: '0',
    size: String(size),
    count: 'true',
    sortBy: sort,
    sortDir: order
  })
  const path = `/api/v1/alarms/customers/${encodeURIComponent(customerId)}/alarms:search?${query}`
  return readPage(await client.search('ALARMS', path, filter, bearer, signal), 'alarms')
}
