// A customer assembled once for many: kept for each visibility (who sees what), within a bound of bytes. Fresh for
// 30 s, then served while a new one is fetched, for 15 minutes at most. A failed reload keeps the previous one.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Assignment } from '#shared/permissions.ts'
import { createFlights } from './flights.ts'
import type { Invalidations } from './invalidations.ts'
import { type Snapshot, type Sources, takeSnapshot, type Viewer } from './snapshot.ts'

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
  /** A new one, whatever is kept. */
  fresh(customerId: string, viewer: Viewer): Promise<Snapshot>
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
  /** Fetches that found what was there already. */
  unchanged: number
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
  const flights = createFlights<Snapshot>()
  const counts = { hits: 0, stale: 0, misses: 0, fetches: 0, failures: 0, cancelled: 0, unchanged: 0 }

  const keyOf = (customerId: string, viewer: Viewer) =>
    `${customerId} ${visibility(viewer.user.roleAssignments)}`

  async function take(
    customerId: string,
    viewer: Viewer,
    previous: Snapshot | undefined,
    gone: AbortSignal
  ): Promise<Snapshot> {
    counts.fetches += 1
    try {
      const next = await takeSnapshot(services, customerId, viewer, gone, previous)
      // What is the same keeps its bytes and index, and its time of assembly.
      if (previous?.tree.tag === next.tree.tag) {
        counts.unchanged += 1
        const { organization, takenAt, readings } = next
        return { ...previous, organization, takenAt, readings }
      }
      if (previous) await next.index.prepareAs(previous.index)
      return next
    } catch (error) {
      counts[gone.aborted ? 'cancelled' : 'failures'] += 1
      throw error
    }
  }

  function join(customerId: string, viewer: Viewer, signal?: AbortSignal): Promise<Snapshot> {
    const key = keyOf(customerId, viewer)
    const previous = kept.peek(key)
    return flights.join(
      key,
      (gone) => take(customerId, viewer, previous, gone),
      (snapshot) => void kept.set(key, snapshot),
      signal
    )
  }

  function forget(customerId: string): void {
    const isMeant = (key: string) => key.startsWith(`${customerId} `)
    for (const key of kept.keys()) if (isMeant(key)) kept.delete(key)
    flights.forget(isMeant)
  }
  invalidations.onChange(forget)

  return {
    fresh: (customerId, viewer) => join(customerId, viewer),
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
      return join(customerId, viewer, signal).catch((error) => {
        if (previous && ageMs <= STALE_MAX_MS && !signal?.aborted) return previous
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

/** Callers with the same assignments see the same. */
function visibility(assignments: readonly Assignment[]): string {
  const lines = assignments.map(({ role, scope }) => `${role} ${scope}`).sort()
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}
