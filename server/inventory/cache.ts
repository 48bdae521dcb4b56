// Caches customer snapshots by visibility, up to a number of bytes. A snapshot is fresh for 30 s, then served for up to
// 15 minutes while a new one is fetched. An outage keeps the previous snapshot; a refusal drops it.
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
import type { InventoryWorker } from './worker-client.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
/** How long an incomplete snapshot is fresh. */
const PARTIAL_MS = 2_000
/** How long a customer that is too large, or stopped the worker, is not fetched again. */
const BACK_OFF_MS = 30_000
const BACK_OFF_CUSTOMERS_MAX = 10_000
/** Minimum size of a cache entry. */
const BYTES_AT_LEAST = 4_096

export interface Snapshots {
  /**
   * Throws the upstream's problem when the fetch fails and no previous snapshot exists. `signal` ends the caller's wait;
   * the fetch is cancelled when no caller is left.
   */
  of(customerId: string, viewer: Viewer, signal?: AbortSignal): Promise<Snapshot>
  /** Cached snapshots of these customers, up to 15 minutes old. Fetches nothing. */
  kept(customerIds: readonly string[], viewer: Viewer): Map<string, Snapshot>
  /** Searches the devices of several customers. Throws a 503 problem when the worker dies. */
  search(customers: readonly SearchedCustomer[], q: string, size: number): Promise<Found>
  /** A snapshot whose fetch began at most `maxAgeMs` ago. Throws the upstream's problem. */
  within(maxAgeMs: number, customerId: string, viewer: Viewer): Promise<Snapshot>
  /** Drops a changed customer for every visibility, on every replica. */
  drop(customerId: string): void
  stats(): SnapshotStats
}

export interface SearchedCustomer {
  customer: CustomerName
  snapshot: Snapshot
}

interface Services extends Sources {
  invalidations: Invalidations
  /** Maximum of the worker's heap that cached snapshots take. */
  maxBytes: number
}

/** By customer and visibility. */
type Kept = LRUCache<string, Snapshot>

export function createSnapshots(services: Services): Snapshots {
  const { invalidations, worker, clock, maxBytes } = services
  const kept: Kept = new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ inventory }) => Math.min(BYTES_AT_LEAST + inventory.heapBytes, maxBytes),
    dispose: (snapshot) => release(worker, snapshot)
  })
  const take = createFetch(services, kept)
  const fetches = createSingleFlight<Snapshot>(clock)
  const counts = { hits: 0, misses: 0 }

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
      // A shared fetch may have begun too early: fetch again. Also when the clock was set back and takenAt is in the future.
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
      if (previous && !missesSomething && ageMs <= STALE_MAX_MS) {
        counts.hits += 1
        if (ageMs > FRESH_MS && !fetches.isJoinable(key)) join(customerId, viewer).catch(() => {})
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

const keyOf = (customerId: string, viewer: Viewer, visibility = visibilityOf(viewer)) =>
  `${customerId} ${visibility}`

/** Waits one turn of the event loop, so that callers who just received the snapshot can query it. */
function release(worker: InventoryWorker, { inventory }: Snapshot, isDue = () => true): void {
  setImmediate(() => {
    if (isDue()) worker.release(inventory.id)
  })
}

/** Fetches snapshots. A customer that is too large, or stopped the worker, is refused for a while. */
function createFetch(services: Services, kept: Kept) {
  const { worker, clock, nextId } = services
  const refused = new LRUCache<string, Problem>({
    max: BACK_OFF_CUSTOMERS_MAX,
    ttl: BACK_OFF_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  /** Cache keys of the snapshots under way, by their id at the worker. */
  const readings = new Map<number, string>()

  function lose(culprit: number | undefined): void {
    const stored = [...kept.entries()].find(([, { inventory }]) => inventory.id === culprit)
    const key = culprit === undefined ? undefined : (readings.get(culprit) ?? stored?.[0])
    if (key !== undefined) refused.set(key, problems.inventoryUnavailable())
    kept.clear()
  }
  worker.onLoss(lose)

  return async (key: string, customerId: string, viewer: Viewer, gone: AbortSignal): Promise<Snapshot> => {
    const known = refused.get(key)
    if (known) throw known
    const previous = kept.peek(key)
    const id = nextId()
    readings.set(id, key)
    try {
      const taken = await takeSnapshot(services, {
        id,
        customerId,
        viewer,
        previous: previous?.inventory,
        gone
      })
      release(worker, taken, () => kept.peek(key) !== taken)
      return taken
    } catch (error) {
      // Do not serve the previous snapshot to callers who have lost access.
      if (isRefusal(error) && kept.peek(key) === previous) kept.delete(key)
      if (error instanceof Problem && error.id === 'upstream_too_large') refused.set(key, error)
      throw error
    } finally {
      readings.delete(id)
    }
  }
}
