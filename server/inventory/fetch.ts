// A customer as its upstreams tell it (upstream contract), fetched to the end of each list with the caller's token. The
// bytes go to the worker as they are; how long what it makes of them may serve is decided by whoever keeps it.
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import type { Viewer } from '../upstreams/visibility.ts'
import { createInventory, type Inventory } from './inventory.ts'
import { createListReader } from './list-reader.ts'
import type { InventoryWorker } from './worker-client.ts'

/** How long subscriptions are waited for once all else is there. */
const SUBSCRIPTIONS_GRACE_MS = 5_000

export interface Snapshot {
  organization: Organization
  inventory: Inventory
  /** When the reading of it began, in milliseconds since 1970: what it says may have changed since. */
  takenAt: number
}

export interface Sources {
  client: UpstreamClient
  organizations: OrganizationDirectory
  worker: InventoryWorker
  /** Names for what the worker holds. */
  nextId: () => number
  clock: Clock
  /** The time that a fetch may take as a whole, and what subscriptions may take longer than all else. */
  limits: { fetchMs: number; subscriptionsMs?: number }
}

interface Asked {
  /** Its name at the worker. */
  id: number
  customerId: string
  viewer: Viewer
  /** One that may say the same: then it is kept, with its time of assembly. */
  previous: Inventory | undefined
  /** Aborted when nobody waits any more. */
  gone: AbortSignal
}

/**
 * All of a customer, its parts at the same time. Without subscriptions it is still one, without the rest none. Throws
 * the upstream's problem, and a 503 problem when the worker dies meanwhile.
 */
export async function takeSnapshot(sources: Sources, asked: Asked): Promise<Snapshot> {
  const { worker, nextId, clock, limits, client, organizations } = sources
  const { id, customerId, viewer, previous, gone } = asked
  const takenAt = clock()
  const failed = new AbortController()
  const enough = new AbortController()
  const signal = AbortSignal.any([gone, AbortSignal.timeout(limits.fetchMs), failed.signal])
  const reader = createListReader({ client, worker, id, customerId, bearer: viewer, signal })

  try {
    const subscribed = reader.subscriptions(AbortSignal.any([signal, enough.signal])).catch(() => null)
    const [organization, projects, devices] = await Promise.all([
      organizations.find(customerId, viewer),
      reader.pages('projects'),
      reader.pages('devices')
    ])
    const grace = setTimeout(() => enough.abort(), limits.subscriptionsMs ?? SUBSCRIPTIONS_GRACE_MS)
    const subscriptions = await subscribed.finally(() => clearTimeout(grace))
    reader.check(gone)
    const summary = await worker.ask(
      'assemble',
      {
        id,
        customerId,
        projects,
        devices,
        subscriptions,
        assembledAt: new Date(clock()).toISOString(),
        previous: previous?.id ?? null
      },
      subscriptions?.pieces
    )
    return { organization, inventory: createInventory(worker, nextId, id, summary), takenAt }
  } catch (error) {
    failed.abort()
    worker.release(id)
    throw error
  }
}
