// A customer assembled once for many: kept for each visibility (who sees what), within a bound of bytes. Fresh for
// 30 s, then served while a new one is fetched, for 15 minutes at most. A reload that meets an outage keeps the previous
// one, a refused one drops it. Proofs of ownership never rest on an older one than they ask for.
import { LRUCache } from 'lru-cache'
import { isRefusal } from '../upstreams/failures.ts'
import { createSingleFlight } from '../upstreams/single-flight.ts'
import { type Viewer, visibilityOf } from '../upstreams/visibility.ts'
import type { Invalidations } from './invalidations.ts'
import { type Snapshot, type Sources, takeSnapshot } from './snapshot.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
/** One that misses something is taken anew this soon. */
const PARTIAL_MS = 2_000
const BYTES_MAX = 256 * 1024 * 1024
/** Beside its JSON, a device takes about this in columns, orders, uuids and remembered searches, measured, rounded up. */
const BYTES_PER_DEVICE = 300
/** Of the JSON, for its compressed forms. */
const COMPRESSED_SHARE = 0.4
const BYTES_AT_LEAST = 4_096

export interface Snapshots {
  /**
   * Throws the upstream's problem when there is neither an answer nor a previous one. With the signal a caller goes; what
   * nobody waits for is given up.
   */
  of(customerId: string, viewer: Viewer, signal?: AbortSignal): Promise<Snapshot>
  /** One whose reading began at most so long ago, or after the asking. Throws the upstream's problem. */
  within(maxAgeMs: number, customerId: string, viewer: Viewer): Promise<Snapshot>
  /** Forgets a customer, for every visibility, here and on every replica: something of it has changed. */
  drop(customerId: string): void
  stats(): SnapshotStats
}

/** Counted since the start, but for the last four. */
export interface SnapshotStats {
  /** Calls answered from a fresh one, from an old one while a new one is fetched, and after waiting. */
  hits: number
  stale: number
  misses: number
  /** Fetches begun, failed, and given up because nobody waited any more. */
  fetches: number
  failures: number
  cancelled: number
  kept: number
  devices: number
  bytes: number
  /** Age of the oldest one kept, in milliseconds; 0 when there is none. */
  oldestMs: number
}

interface Services extends Sources {
  invalidations: Invalidations
}

export function createSnapshots(services: Services): Snapshots {
  const { invalidations, clock } = services
  const kept = new LRUCache<string, Snapshot>({ maxSize: BYTES_MAX, sizeCalculation: bytesOf })
  const flights = createSingleFlight<Snapshot>(clock)
  const counts = { hits: 0, stale: 0, misses: 0, fetches: 0, failures: 0, cancelled: 0 }

  const keyOf = (customerId: string, viewer: Viewer) => `${customerId} ${visibilityOf(viewer)}`

  async function take(key: string, customerId: string, viewer: Viewer, gone: AbortSignal): Promise<Snapshot> {
    const previous = kept.peek(key)
    counts.fetches += 1
    try {
      const next = await takeSnapshot(services, customerId, viewer, gone)
      // What is the same keeps its bytes and index, and its time of assembly.
      if (previous?.tree.tag === next.tree.tag) {
        const { tree, index, has } = previous
        return { ...next, tree, index, has }
      }
      if (previous) await next.index.prepareAs(previous.index)
      return next
    } catch (error) {
      counts[gone.aborted ? 'cancelled' : 'failures'] += 1
      // Whoever may not read it any more is not served from what was read before.
      if (isRefusal(error) && kept.peek(key) === previous) kept.delete(key)
      throw error
    }
  }

  function join(
    customerId: string,
    viewer: Viewer,
    { notBefore, signal }: { notBefore?: number; signal?: AbortSignal | undefined } = {}
  ): Promise<Snapshot> {
    const key = keyOf(customerId, viewer)
    return flights.share(key, {
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
    flights.forget(isMeant)
  }
  invalidations.onChange(forget)

  return {
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
      const missesSomething = (previous?.tree.partial.length ?? 0) > 0 && ageMs > PARTIAL_MS
      if (previous && !missesSomething && ageMs <= FRESH_MS) {
        counts.hits += 1
        return previous
      }
      if (previous && !missesSomething && ageMs <= STALE_MAX_MS) {
        counts.stale += 1
        if (!flights.isUnderWay(key)) join(customerId, viewer).catch(() => {})
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
      const now = clock()
      const all = [...kept.values()]
      return {
        ...counts,
        kept: all.length,
        devices: all.reduce((sum, { tree }) => sum + tree.rows.count, 0),
        bytes: kept.calculatedSize,
        oldestMs: all.reduce((oldest, { takenAt }) => Math.max(oldest, now - takenAt), 0)
      }
    }
  }
}

function bytesOf({ tree: { bytes, rows } }: Snapshot): number {
  return Math.ceil(BYTES_AT_LEAST + bytes.length * (1 + COMPRESSED_SHARE) + rows.count * BYTES_PER_DEVICE)
}
