import { useRef } from 'react'
import type { AttentionList, CustomerAttention } from '#shared/answers/portal.ts'
import type { CustomerCard, Page, ProjectList } from '#shared/entities.ts'
import { CUSTOMER_PAGE_SIZE, CUSTOMER_RELOAD_MS, PAGE_SIZE_MAX } from '#shared/limits.ts'
import { readPages } from '../../lib/http/hal.ts'
import { type Load, type Pages, useLoad, usePages, useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import { useSession } from '../session/session.ts'
import { isUnread, readAtOf } from './attention.ts'

export function useCustomers(organizationId: string | null, keyword: string): Pages<Page<CustomerCard>> {
  const query = new URLSearchParams({ keyword, size: String(CUSTOMER_PAGE_SIZE) })
  const path =
    organizationId && `/api/portal/v1/organizations/${encodeURIComponent(organizationId)}/customers`
  return usePages<Page<CustomerCard>>(path ? `${path}?${query}` : null)
}

/** Poll interval while the gateway reads counts; slower for many customers. */
const READING_MS = 5_000
const READING_MS_PER_CUSTOMER = 25
const REREADING_MS = 60_000
/** A refresh keeps counts up to this age. */
const FRESH_SECONDS = 60

/** The attention counts of every customer of the organization; null loads nothing. */
export function useAttention(organizationId: string | null) {
  const { nowMs } = useSession()
  const forced = useRef({ query: '', sinceMs: 0 })
  const path =
    organizationId && `/api/portal/v1/organizations/${encodeURIComponent(organizationId)}/attention`
  const load = useQuery<AttentionList>(
    path,
    (wanted, signal) => {
      const { query } = forced.current
      forced.current.query = ''
      return request<AttentionList>(wanted + query, { signal })
    },
    {
      refreshInterval(list) {
        if (!list) return REREADING_MS
        const awaited = list.items.some((one) => isUnread(one) || isBefore(one, forced.current.sinceMs))
        return awaited ? Math.max(READING_MS, list.items.length * READING_MS_PER_CUSTOMER) : REREADING_MS
      }
    }
  )
  return {
    ...load,
    /** Reads counts older than a minute again. */
    reloadCounts() {
      forced.current = { query: `?maxAge=${FRESH_SECONDS}`, sinceMs: nowMs() - FRESH_SECONDS * 1000 }
      load.reload()
    }
  }
}

const isBefore = (one: CustomerAttention, ms: number) => Date.parse(readAtOf(one) ?? '') < ms

/** Null, or an empty id, loads nothing. */
export function useProjects(customerId: string | null): Load<ProjectList> {
  const path = customerId && `/api/portal/v1/customers/${encodeURIComponent(customerId)}/projects`
  return useLoad<ProjectList>(path || null, { refreshInterval: CUSTOMER_RELOAD_MS })
}

export interface NamedCustomer {
  id: string
  name: string
  scope: string
}

/** Every customer of an integrator that the caller may see, by name; null loads nothing. */
export function useAllCustomers(integratorId: string | null): Load<NamedCustomer[]> {
  return useQuery(
    integratorId &&
      `/api/portal/v1/organizations/${encodeURIComponent(integratorId)}/customers?size=${PAGE_SIZE_MAX}`,
    async (path, signal) => {
      const all = await readPages<CustomerCard>(path, Number.POSITIVE_INFINITY, signal)
      return all.map(({ id, orgName, scope }) => ({ id, name: orgName, scope }))
    },
    { keepPreviousData: true }
  )
}
