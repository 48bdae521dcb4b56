import type { AlarmOfCustomer, OrganizationAlarms } from '#shared/answers/portal.ts'
import { calls, type Query } from '#shared/calls.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { type Load, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { usePollMs } from '../../../lib/live/live.ts'

const POLL_MS = 20_000

interface FoundAlarms extends Load<OrganizationAlarms> {
  /** False while `data` belongs to the previous filter. */
  current: boolean
}

/** The alarms of all customers that match the query. */
export function useOrganizationAlarms(path: string): FoundAlarms {
  const pollMs = usePollMs(POLL_MS)
  const { data, ...load } = useQuery(
    path,
    async (_name, signal) => ({ path, found: await request<OrganizationAlarms>(path, { signal }) }),
    {
      keepPreviousData: true,
      // Customers that have not been read yet arrive without an event if they have no alarms.
      refreshInterval: (answer) => (answer?.found.partial.length ? POLL_MS : pollMs)
    }
  )
  return { ...load, data: data?.found, current: data?.path === path }
}

/** Up to `max` alarms that match the query. */
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
