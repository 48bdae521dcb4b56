// Caches the customers that a caller may see by organization and visibility for a short time, for searches and polled counts.
// The callers of this file decide about access.
import type { CustomerCard } from '#shared/answers/customers.ts'
import type { InventoryChange } from '../inventory/cache.ts'
import type { Caller, Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchCustomers } from '../upstreams/organizations.ts'
import { createSharedCache } from '../upstreams/shared-cache.ts'
import { visibilityOf } from '../upstreams/visibility.ts'
import { cardsOf } from './customers.ts'

const FRESH_MS = 30_000
const LISTS_MAX = 200

export type CustomerLists = ReturnType<typeof createCustomerLists>

export function createCustomerLists(client: UpstreamClient, clock: Clock) {
  const lists = createSharedCache<readonly CustomerCard[]>(LISTS_MAX, FRESH_MS, clock)
  return {
    /** Returns cards that are at most 30 s old, sorted by name. Callers of equal visibility get the same array. Throws the upstream's problem; stops when `signal` is aborted. */
    of: (organizationId: string, caller: Caller, signal: AbortSignal) =>
      lists.of(
        `${organizationId} ${visibilityOf(caller)}`,
        async (gone) =>
          cardsOf(
            await fetchCustomers(client, organizationId, caller, gone),
            organizationId,
            caller.user.roleAssignments
          ),
        signal
      ),
    /** Fetches the lists with this customer again: its number of projects or devices may have changed. */
    changed(customerId: string, change: InventoryChange): void {
      if (change === 'members') lists.forget((cards) => cards.some(({ id }) => id === customerId))
    }
  }
}
