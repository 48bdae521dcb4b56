// A customer assembled once for many: kept for each visibility (who sees what), within a bound of bytes. Fresh for
// 30 s, then served while a new one is fetched, for 15 minutes at most. A failed reload keeps the previous one.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Organization } from '#shared/entities.ts'
import type { Assignment } from '#shared/permissions.ts'
import type { Clock } from '../types.ts'
import type { Bearer, UpstreamClient } from '../upstreams/client.ts'
import { fetchDevices, fetchProjects, fetchSubscriptions, type Source } from '../upstreams/inventory.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import type { Turns } from '../upstreams/turns.ts'
import { assemble } from './assemble.ts'
import { createDeviceIndex, type DeviceIndex } from './device-index.ts'
import { devicePageReader, joinPages, joinSlices, readSubscriptions } from './fetched.ts'
import { createFlights } from './flights.ts'
import { createHoldings, type Holdings } from './holdings.ts'
import type { Invalidations } from './invalidations.ts'
import type { Tree } from './tree.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
/** One that misses something is taken anew this soon. */
const PARTIAL_MS = 2_000
const BYTES_MAX = 256 * 1024 * 1024
/** Beside its JSON, a device takes about this in columns, orders and the list of uuids, measured, rounded up. */
const BYTES_PER_DEVICE = 300
/** Of the JSON, for its compressed forms. */
const COMPRESSED_SHARE = 0.4
const BYTES_AT_LEAST = 4_096
/** How long subscriptions are waited for once all else is there. */
const SUBSCRIPTIONS_GRACE_MS = 5_000

export interface Snapshot {
  organization: Organization
  tree: Tree
  index: DeviceIndex
  /** When the upstream was last asked, in milliseconds since 1970. */
  takenAt: number
  /** Whether it has that project, device or system. */
  has: Holdings
}

export interface Viewer extends Bearer {
  user: { roleAssignments: readonly Assignment[] }
}

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

interface Services {
  client: UpstreamClient
  organizations: OrganizationDirectory
  invalidations: Invalidations
  turns: Turns
  clock: Clock
  /** The time that a fetch may take as a whole, and what subscriptions may take longer than all else. */
  limits: { fetchMs: number; subscriptionsMs?: number }
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
      const next = await fetchSnapshot(services, customerId, viewer, gone)
      // What is the same keeps its bytes and index, and its time of assembly.
      if (previous?.tree.tag === next.tree.tag) {
        counts.unchanged += 1
        const { organization, takenAt } = next
        return { ...previous, organization, takenAt }
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

/** All of a customer, its parts at the same time. Without subscriptions it is still one (§4), without the rest none. */
async function fetchSnapshot(
  { client, organizations, turns, clock, limits }: Services,
  customerId: string,
  viewer: Viewer,
  gone: AbortSignal
): Promise<Snapshot> {
  const late = AbortSignal.timeout(limits.fetchMs)
  const failed = new AbortController()
  const enough = new AbortController()
  const signal = AbortSignal.any([gone, late, failed.signal])
  const source: Source = { client, customerId, bearer: viewer, signal }
  const subscriptions = fetchSubscriptions(
    { ...source, signal: AbortSignal.any([signal, enough.signal]) },
    readSubscriptions
  ).catch(() => null)
  const rest = Promise.all([
    organizations.find(customerId, viewer),
    fetchProjects(source),
    fetchDevices(source, devicePageReader())
  ])
  const [organization, projects, pages] = await rest.catch((error) => {
    failed.abort()
    throw error
  })
  const grace = setTimeout(() => enough.abort(), limits.subscriptionsMs ?? SUBSCRIPTIONS_GRACE_MS)
  const found = await subscriptions.finally(() => clearTimeout(grace))
  gone.throwIfAborted()

  const takenAt = clock()
  const assembledAt = new Date(takenAt).toISOString()
  const tree = await assemble(
    {
      customerId,
      projects,
      devices: joinPages(pages),
      subscriptions: found && joinSlices(found),
      assembledAt
    },
    turns
  )
  return {
    organization,
    tree,
    takenAt,
    index: createDeviceIndex(tree.rows, turns),
    has: createHoldings(tree, turns)
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
