// Caches the customers of an organization by visibility for a short time, for searches and polled counts. Does not decide
// about access.
import { LRUCache } from 'lru-cache'
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchCustomers } from '../upstreams/organizations.ts'
import { createSingleFlight } from '../upstreams/single-flight.ts'
import { type Viewer, visibilityOf } from '../upstreams/visibility.ts'

const FRESH_MS = 30_000
const LISTS_KEPT = 200

export interface CustomerLists {
  /** At most 30 s old. Throws the upstream's problem; ends when the caller disconnects. */
  of(organizationId: string, viewer: Viewer, signal: AbortSignal): Promise<readonly Organization[]>
}

export function createCustomerLists(client: UpstreamClient, clock: Clock): CustomerLists {
  const known = new LRUCache<string, readonly Organization[]>({
    max: LISTS_KEPT,
    ttl: FRESH_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const fetches = createSingleFlight<readonly Organization[]>(clock)

  return {
    async of(organizationId, viewer, signal) {
      const name = `${organizationId} ${visibilityOf(viewer)}`
      return (
        known.get(name) ??
        fetches.share(name, {
          fetch: (gone) => fetchCustomers(client, organizationId, viewer, gone),
          keep: (customers, start) => void known.set(name, customers, { start }),
          signal
        })
      )
    }
  }
}
