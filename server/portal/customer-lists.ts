// Caches the customers of an organization by visibility for a short time, for searches and polled counts. Does not decide
// about access.
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchCustomers } from '../upstreams/organizations.ts'
import { createSharedCache } from '../upstreams/shared-cache.ts'
import { type Viewer, visibilityOf } from '../upstreams/visibility.ts'

const FRESH_MS = 30_000
const LISTS_KEPT = 200

export type CustomerLists = ReturnType<typeof createCustomerLists>

export function createCustomerLists(client: UpstreamClient, clock: Clock) {
  const shared = createSharedCache<readonly Organization[]>(LISTS_KEPT, FRESH_MS, clock)
  return {
    /** At most 30 s old. Throws the upstream's problem; ends when the caller disconnects. */
    of: (organizationId: string, viewer: Viewer, signal: AbortSignal) =>
      shared(
        `${organizationId} ${visibilityOf(viewer)}`,
        (gone) => fetchCustomers(client, organizationId, viewer, gone),
        signal
      )
  }
}
