// A customer assembled once for many: kept for each visibility (who sees what), within a bound of bytes. Fresh for
// 30 s, then served while a new one is fetched, for 15 minutes at most. A failed reload keeps the previous one.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Organization } from '#shared/entities.ts'
import type { Assignment } from '#shared/permissions.ts'
import type { SnapshotStats } from '../telemetry.ts'
import type { Clock } from '../types.ts'
import type { Bearer, UpstreamClient } from '../upstreams/client.ts'
import { fetchDevices, fetchProjects, fetchSubscriptions } from '../upstreams/inventory.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import { type Assembled, assemble } from './assemble.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
/** One that misses something is taken anew this soon. */
const PARTIAL_MS = 2_000
const BYTES_MAX = 256 * 1024 * 1024
/** What a device takes in memory with its subscriptions, measured, rounded up. */
const BYTES_PER_DEVICE = 1_500
const BYTES_AT_LEAST = 4_096

export interface Snapshot extends Assembled {
  organization: Organization
  /** Milliseconds since 1970. */
  takenAt: number
}

export interface Viewer extends Bearer {
  user: { roleAssignments: readonly Assignment[] }
}

export interface Snapshots {
  /** Throws the upstream's problem when there is neither an answer nor a previous one. */
  of(customerId: string, viewer: Viewer): Promise<Snapshot>
  /** A new one, whatever is kept. */
  fresh(customerId: string, viewer: Viewer): Promise<Snapshot>
  /** Forgets a customer, for every visibility: something of it has changed. */
  drop(customerId: string): void
  stats(): SnapshotStats
}

interface Services {
  client: UpstreamClient
  organizations: OrganizationDirectory
  clock: Clock
}

export function createSnapshots({ client, organizations, clock }: Services): Snapshots {
  const reads = { hits: 0, misses: 0 }
  const kept = new LRUCache<string, Snapshot, { customerId: string; viewer: Viewer }>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ devices }) => BYTES_AT_LEAST + devices.length * BYTES_PER_DEVICE,
    ttl: FRESH_MS,
    perf: { now: clock },
    ttlResolution: 0,
    allowStale: true,
    noDeleteOnFetchRejection: true,
    // A snapshot dropped while it is being taken is still answered to those who wait, and not kept.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => take(context.customerId, context.viewer)
  })

  async function take(customerId: string, viewer: Viewer): Promise<Snapshot> {
    const [organization, projects, devices, subscriptions] = await Promise.all([
      organizations.find(customerId, viewer),
      fetchProjects(client, customerId, viewer),
      fetchDevices(client, customerId, viewer),
      fetchSubscriptions(client, customerId, viewer).catch(() => null)
    ])
    const takenAt = clock()
    const assembledAt = new Date(takenAt).toISOString()
    return {
      ...assemble({ customerId, projects, devices, subscriptions, assembledAt }),
      organization,
      takenAt
    }
  }

  const keyOf = (customerId: string, viewer: Viewer) =>
    `${customerId} ${visibility(viewer.user.roleAssignments)}`

  return {
    stats() {
      const taken = [...kept.values()].map(({ takenAt }) => takenAt)
      const oldestMs = taken.length === 0 ? 0 : clock() - taken.reduce((a, b) => Math.min(a, b))
      return { ...reads, entries: kept.size, bytes: kept.calculatedSize, oldestMs }
    },
    async fresh(customerId, viewer) {
      const context = { customerId, viewer }
      return (await kept.fetch(keyOf(customerId, viewer), {
        context,
        forceRefresh: true,
        allowStale: false
      })) as Snapshot
    },
    drop(customerId) {
      for (const key of kept.keys()) if (key.startsWith(`${customerId} `)) kept.delete(key)
    },
    async of(customerId, viewer) {
      const key = keyOf(customerId, viewer)
      const context = { customerId, viewer }
      const previous = kept.peek(key, { allowStale: true })
      reads[previous === undefined ? 'misses' : 'hits'] += 1
      const tooOld = previous !== undefined && clock() - previous.takenAt > STALE_MAX_MS
      const missesSomething =
        previous !== undefined && previous.tree.partial.length > 0 && clock() - previous.takenAt > PARTIAL_MS
      if (tooOld) kept.delete(key)
      return (await kept.fetch(key, {
        context,
        forceRefresh: missesSomething,
        // Without a previous one the library would answer nothing instead of the failure.
        allowStaleOnFetchRejection: previous !== undefined && !tooOld,
        allowStale: !missesSomething
      })) as Snapshot
    }
  }
}

/** Callers with the same assignments see the same. */
function visibility(assignments: readonly Assignment[]): string {
  const lines = assignments.map(({ role, scope }) => `${role} ${scope}`).sort()
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}
