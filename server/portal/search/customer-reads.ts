// Fetches the snapshots of many customers for searches and lists over them, a few at a time for each caller.
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import type { CustomerName } from '#shared/answers/customers.ts'
import type { SearchedCustomer, Snapshots } from '../../inventory/cache.ts'
import type { Caller, Clock } from '../../types.ts'
import type { Rights } from './search.ts'

/** Maximum number of customers that are fetched in parallel for one caller. */
export const READ_AT_ONCE = 2
const CALLERS_MAX = 10_000
/** Older snapshots are fetched again when nothing else is fetched, so that all stay cached while people look. */
const AGED_MS = 5 * 60_000
/** How long the customers of a list are fetched after its last call. */
const CALLED_MS = 60_000
/** Time until a customer is fetched again for a list that could not be fetched completely. */
const RETRY_MS = 10_000

/** What is fetched for a list of a caller. */
interface Listing {
  /** Ids of customers that are being fetched, or wait for it. */
  ids: Set<string>
  failedAt: Map<string, number>
  calledAt: number
}

export type CustomerReads = ReturnType<typeof createCustomerReads>

export function createCustomerReads(snapshots: Snapshots, clock: Clock) {
  const limits = new LRUCache<string, LimitFunction>({
    max: CALLERS_MAX,
    memoMethod: () => pLimit(READ_AT_ONCE)
  })
  const listings = new LRUCache<string, Listing>({
    max: CALLERS_MAX,
    memoMethod: () => ({ ids: new Set(), failedAt: new Map(), calledAt: 0 })
  })
  const limitOf = (caller: Caller) => limits.memo(caller.user.id)

  return {
    limitOf,
    /** The customers with a cached snapshot, and those without. Use the snapshots in this turn only. */
    known(customers: readonly CustomerName[], caller: Caller) {
      const ids = customers.map(({ id }) => id)
      const snapshotsById = snapshots.cached(ids, caller)
      const cachedCustomers = customers.flatMap((customer): SearchedCustomer[] => {
        const snapshot = snapshotsById.get(customer.id)
        return snapshot ? [{ customer, snapshot }] : []
      })
      return { cachedCustomers, uncachedCustomers: customers.filter(({ id }) => !snapshotsById.has(id)) }
    },
    /** Fetches customers for a list in the background, for a minute after each call. */
    start(customers: readonly CustomerName[], caller: Caller, rights: Rights): void {
      const limit = limitOf(caller)
      const listing = listings.memo(caller.user.id)
      listing.calledAt = clock()
      for (const { id } of customers) {
        const failedAt = listing.failedAt.get(id) ?? Number.NEGATIVE_INFINITY
        const isFailing = Math.abs(clock() - failedAt) < RETRY_MS
        if (listing.ids.has(id) || isFailing) continue
        listing.ids.add(id)
        limit(async () => {
          if (clock() - listing.calledAt > CALLED_MS) return
          await rights.check()
          const { customer } = await snapshots.of(id, caller)
          if (customer.partial.length > 0) listing.failedAt.set(id, clock())
          else listing.failedAt.delete(id)
        })
          .catch(() => listing.failedAt.set(id, clock()))
          .finally(() => listing.ids.delete(id))
      }
    },
    /** Fetches old snapshots again in the background, unless something else is fetched for the caller. */
    refresh(cachedCustomers: readonly SearchedCustomer[], caller: Caller, rights: Rights): void {
      const limit = limitOf(caller)
      if (limit.activeCount > 0) return
      const oldEntries = cachedCustomers.filter(({ snapshot }) => clock() - snapshot.takenAt > AGED_MS)
      for (const { customer } of oldEntries.slice(0, limit.concurrency))
        limit(async () => {
          await rights.check()
          await snapshots.within(AGED_MS, customer.id, caller)
        }).catch(() => {})
    }
  }
}
