// Caches the customers of an organization by visibility for a short time, for searches and polled counts. The callers of
// this file decide about access.
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchCustomers } from '../upstreams/organizations.ts'
import { createSharedCache } from '../upstreams/shared-cache.ts'
import { type Viewer, visibilityOf } from '../upstreams/visibility.ts'

const FRESH_MS = 30_000
const LISTS_MAX = 200

export type CustomerLists = ReturnType<typeof createCustomerLists>

export function createCustomerLists(client: UpstreamClient, clock: Clock) {
  const cachedList = createSharedCache<readonly Organization[]>(LISTS_MAX, FRESH_MS, clock)
  return {
    /** Returns a list that is at most 30 s old. Throws the upstream's problem; stops when `signal` is aborted. */
    of: (organizationId: string, viewer: Viewer, signal: AbortSignal) =>
      cachedList(
        `${organizationId} ${visibilityOf(viewer)}`,
        (gone) => fetchCustomers(client, organizationId, viewer, gone),
        signal
      )
  }
}
