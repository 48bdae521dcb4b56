// A customer assembled once for many: kept for each visibility (who sees what), within a bound of bytes. Fresh for
// 30 s, then served while a new one is fetched, for 15 minutes at most. A reload that meets an outage keeps the previous
// one, a refused one drops it. Proofs of ownership never rest on an older one than they ask for.
import { LRUCache } from 'lru-cache'
import type { CustomerName } from '#shared/entities.ts'
import { Problem, problems } from '../errors.ts'
import type { SnapshotStats } from '../observability/recorder.ts'
import { createSingleFlight } from '../upstreams/single-flight.ts'
import { isRefusal } from '../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../upstreams/visibility.ts'
import { type Snapshot, type Sources, takeSnapshot } from './fetch.ts'
import type { Invalidations } from './invalidations.ts'
import type { Found } from './questions.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
/** One that misses something is taken anew this soon. */
const PARTIAL_MS = 2_000
/** One whose answers are too large, or stop the worker, is not fetched again for so long: others would wait for it. */
const BACK_OFF_MS = 30_000
const BACK_OFF_CUSTOMERS_MAX = 10_000
/** Of an entry, however small the customer. */
const BYTES_AT_LEAST = 4_096

export interface Snapshots {
  /**
   * Throws the upstream's problem when there is neither an answer nor a previous one. With the signal a caller goes; what
   * nobody waits for is given up.
   */
  of(customerId: string, viewer: Viewer, signal?: AbortSignal): Promise<Snapshot>
  /** Those of several customers that are kept and may be served, whatever their age: nothing is fetched for it. */
  kept(customerIds: readonly string[], viewer: Viewer): Map<string, Snapshot>
  /** The best devices that a keyword finds in several customers; throws a 503 problem when the worker dies. */
  search(customers: readonly SearchedCustomer[], q: string, size: number): Promise<Found>
  /** One whose reading began at most so long ago, or after the asking. Throws the upstream's problem. */
  within(maxAgeMs: number, customerId: string, viewer: Viewer): Promise<Snapshot>
  /** Forgets a customer, for every visibility, here and on every replica: something of it has changed. */
  drop(customerId: string): void
  stats(): SnapshotStats
}

export interface SearchedCustomer {
  customer: CustomerName
  snapshot: Snapshot
}

interface Services extends Sources {
  invalidations: Invalidations
  /** Of the worker's heap, for all that is kept. */
  maxBytes: number
}

export function createSnapshots(services: Services): Snapshots {
  const { invalidations, worker, clock, maxBytes } = services
  const kept = new LRUCache<string, Snapshot>({
    maxSize: maxBytes,
    sizeCalculation: ({ inventory }) => Math.min(BYTES_AT_LEAST + inventory.heapBytes, maxBytes),
    dispose: (snapshot) => release(snapshot)
  })
  const refused = new LRUCache<string, Problem>({
    max: BACK_OFF_CUSTOMERS_MAX,
    ttl: BACK_OFF_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  /** Names at the worker of what is being read. */
  const readings = new Map<number, string>()
  const fetches = createSingleFlight<Snapshot>(clock)
  const counts = { hits: 0, misses: 0 }

  const keyOf = (customerId: string, viewer: Viewer, visibility = visibilityOf(viewer)) =>
    `${customerId} ${visibility}`

  async function take(key: string, customerId: string, viewer: Viewer, gone: AbortSignal): Promise<Snapshot> {
    const known = refused.get(key)
    if (known) throw known
    const previous = kept.peek(key)
    const id = services.nextId()
    readings.set(id, key)
    try {
      const taken = await takeSnapshot(services, {
        id,
        customerId,
        viewer,
        previous: previous?.inventory,
        gone
      })
      release(taken, () => kept.peek(key) !== taken)
      return taken
    } catch (error) {
      // Whoever may not read it any more is not served from what was read before.
      if (isRefusal(error) && kept.peek(key) === previous) kept.delete(key)
      if (error instanceof Problem && error.id === 'upstream_too_large') refused.set(key, error)
      throw error
    } finally {
      readings.delete(id)
    }
  }

  function lose(culprit: number | undefined): void {
    const stored = [...kept.entries()].find(([, { inventory }]) => inventory.id === culprit)
    const key = culprit === undefined ? undefined : (readings.get(culprit) ?? stored?.[0])
    if (key !== undefined) refused.set(key, problems.inventoryUnavailable())
    kept.clear()
  }

  /** A turn later: whoever was given it just now has asked by then. */
  function release({ inventory }: Snapshot, isDue = () => true): void {
    setImmediate(() => {
      if (isDue()) worker.release(inventory.id)
    })
  }

  function join(
    customerId: string,
    viewer: Viewer,
    { notBefore, signal }: { notBefore?: number; signal?: AbortSignal | undefined } = {}
  ): Promise<Snapshot> {
    const key = keyOf(customerId, viewer)
    return fetches.share(key, {
      fetch: (gone) => take(key, customerId, viewer, gone),
      keep: (snapshot) => {
        const { takenAt = 0 } = kept.peek(key) ?? {}
        if (snapshot.takenAt >= takenAt || takenAt > clock()) kept.set(key, snapshot)
      },
      ...(notBefore === undefined ? {} : { notBefore }),
      signal
    })
  }

  function forget(customerId: string): void {
    const isMeant = (key: string) => key.startsWith(`${customerId} `)
    for (const key of kept.keys()) if (isMeant(key)) kept.delete(key)
    fetches.forget(isMeant)
  }
  invalidations.onChange(forget)
  worker.onLoss(lose)

  return {
    kept(customerIds, viewer) {
      const visibility = visibilityOf(viewer)
      const found = new Map<string, Snapshot>()
      for (const customerId of customerIds) {
        const snapshot = kept.get(keyOf(customerId, viewer, visibility))
        const ageMs = clock() - (snapshot?.takenAt ?? Number.NEGATIVE_INFINITY)
        if (snapshot && ageMs >= 0 && ageMs <= STALE_MAX_MS) found.set(customerId, snapshot)
      }
      return found
    },
    search: (searched, q, size) =>
      worker.ask('search', {
        customers: searched.map(({ customer, snapshot }) => ({ id: snapshot.inventory.id, customer })),
        q,
        size
      }),
    async within(maxAgeMs, customerId, viewer) {
      const askedAt = clock()
      const earliest = () => Math.min(askedAt, clock() - maxAgeMs)
      let found = kept.get(keyOf(customerId, viewer))
      // One that was joined may have taken too long: the next one begins after the asking. Of one that was read in the
      // future, by a clock that was set back since, nobody knows the age.
      while (found === undefined || found.takenAt < earliest() || found.takenAt > clock())
        found = await join(customerId, viewer, { notBefore: earliest() })
      return found
    },
    drop(customerId) {
      forget(customerId)
      invalidations.publish(customerId)
    },
    async of(customerId, viewer, signal) {
      const key = keyOf(customerId, viewer)
      const previous = kept.get(key)
      const ageMs = previous ? clock() - previous.takenAt : Number.POSITIVE_INFINITY
      const missesSomething = (previous?.inventory.partial.length ?? 0) > 0 && ageMs > PARTIAL_MS
      if (previous && !missesSomething && ageMs <= FRESH_MS) {
        counts.hits += 1
        return previous
      }
      if (previous && !missesSomething && ageMs <= STALE_MAX_MS) {
        counts.hits += 1
        if (!fetches.isUnderWay(key)) join(customerId, viewer).catch(() => {})
        return previous
      }
      counts.misses += 1
      if (ageMs > STALE_MAX_MS) kept.delete(key)
      return join(customerId, viewer, { signal }).catch((error) => {
        if (previous && ageMs <= STALE_MAX_MS && !isRefusal(error) && !signal?.aborted) return previous
        throw error
      })
    },
    stats() {
      const ages = [...kept.values()].map(({ takenAt }) => clock() - takenAt)
      return { ...counts, entries: kept.size, bytes: kept.calculatedSize, oldestMs: Math.max(0, ...ages) }
    }
  }
}
