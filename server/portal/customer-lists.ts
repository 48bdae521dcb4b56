// The customers of an organization as its upstream lists them, remembered for a short while: a search is typed letter by
// letter, and counts are asked for again and again. Answers are shared by those who see the same; who may see a customer is decided by the asker.
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
  /** As read at most 30 s ago. Throws the upstream's problem, and is given up when the caller goes. */
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
