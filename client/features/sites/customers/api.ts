import { useRef } from 'react'
import type { CustomerCard, ProjectList } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import type { AttentionList, CustomerAttention } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { CUSTOMER_PAGE_SIZE, PAGE_SIZE_MAX } from '#shared/limits.ts'
import { allPages } from '../../../lib/http/hal.ts'
import {
  get,
  type InfiniteQueryResult,
  type QueryResult,
  useInfiniteQuery,
  useQuery
} from '../../../lib/http/query.ts'
import { CUSTOMER_RELOAD_MS } from '../../../lib/limits.ts'
import { useIsLive } from '../../../lib/live/live.ts'
import { useSession } from '../../../lib/session/session.ts'
import { isUnread, readAtOf } from './attention.ts'

export function useCustomers(
  organizationId: string | null,
  keyword: string
): InfiniteQueryResult<Page<CustomerCard>> {
  const query = new URLSearchParams({ keyword, size: String(CUSTOMER_PAGE_SIZE) })
  return useInfiniteQuery<Page<CustomerCard>>(
    organizationId ? `${calls.customers(organizationId)}?${query}` : null
  )
}

/** Poll interval while the gateway reads counts; longer for many customers. */
const READING_MS = 5_000
const READING_MS_PER_CUSTOMER = 25
const REREADING_MS = 60_000
/** Maximum age of counts that a refresh does not reload. */
const FRESH_SECONDS = 60

/** The attention counts of every customer of the organization; a null id loads nothing. */
export function useAttention(organizationId: string | null) {
  const { nowMs } = useSession()
  const isLive = useIsLive()
  const forcedReload = useRef({ query: '', sinceMs: 0 })
  const firstIds = useRef<readonly string[]>([])
  const attention = useQuery<AttentionList>(
    organizationId && calls.attention(organizationId),
    (url, signal) => {
      const query = new URLSearchParams(forcedReload.current.query)
      forcedReload.current.query = ''
      for (const id of firstIds.current) query.append('first', id)
      return get<AttentionList>(query.size > 0 ? `${url}?${query}` : url, signal)
    },
    {
      refreshInterval(list) {
        // The stream reports what is read, but the gateway only reads again while it is asked.
        if (isLive || !list) return REREADING_MS
        const isWaiting = list.items.some(
          (attention) => isUnread(attention) || isReadBefore(attention, forcedReload.current.sinceMs)
        )
        return isWaiting ? Math.max(READING_MS, list.items.length * READING_MS_PER_CUSTOMER) : REREADING_MS
      }
    }
  )
  return {
    ...attention,
    /** Reloads the counts that are older than a minute. */
    reloadCounts() {
      forcedReload.current = { query: `maxAge=${FRESH_SECONDS}`, sinceMs: nowMs() - FRESH_SECONDS * 1000 }
      attention.refetch()
    },
    /** Lets the following calls ask the gateway to read these customers first. */
    readFirst(ids: readonly string[]) {
      firstIds.current = ids
    }
  }
}

const isReadBefore = (attention: CustomerAttention, ms: number) => Date.parse(readAtOf(attention) ?? '') < ms

/** The projects of a customer; a null or empty id loads nothing. */
export function useProjects(customerId: string | null): QueryResult<ProjectList> {
  return useQuery(customerId ? calls.projects(customerId) : null, get<ProjectList>, {
    refreshInterval: CUSTOMER_RELOAD_MS
  })
}

export interface NamedCustomer {
  id: string
  name: string
  scope: string
}

/** All customers of an integrator that the caller may see, sorted by name; a null id loads nothing. */
export function useAllCustomers(integratorId: string | null): QueryResult<NamedCustomer[]> {
  return useQuery(
    integratorId && `${calls.customers(integratorId)}?size=${PAGE_SIZE_MAX}`,
    async (path, signal) => {
      const customers = await allPages(get<Page<CustomerCard>>)(path, signal)
      return customers.map(({ id, orgName, scope }) => ({ id, name: orgName, scope }))
    },
    { keepPreviousData: true }
  )
}
