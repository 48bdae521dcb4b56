// Fetches a customer's lists (upstream contract) to their ends with the caller's token. The bytes go to the worker unread.
import type { Organization } from '#shared/entities.ts'
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'
import { problems } from '../errors.ts'
import type { Clock } from '../types.ts'
import type { Bearer, Body, UpstreamClient } from '../upstreams/client.ts'
import { fetchPages } from '../upstreams/hal.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import type { Viewer } from '../upstreams/visibility.ts'
import type { DueServices } from './due-services.ts'
import { createInventory, type Inventory } from './inventory.ts'
import { SUBSCRIPTIONS_MAX_BYTES } from './parsed-lists.ts'
import type { InventoryWorker } from './worker-client.ts'

/** Maximum wait for subscriptions after all other lists. */
const SUBSCRIPTIONS_GRACE_MS = 5_000

export interface Snapshot {
  organization: Organization
  inventory: Inventory
  /** When the fetch began, in milliseconds since 1970. */
  takenAt: number
}

export interface Sources {
  client: UpstreamClient
  organizations: OrganizationDirectory
  worker: InventoryWorker
  /** Numbers the objects of the worker. */
  nextId: () => number
  clock: Clock
  /** Time limits of a fetch and, after the other lists, of subscriptions. */
  limits: { fetchMs: number; subscriptionsMs?: number }
}

interface Asked {
  /** Its number at the worker. */
  id: number
  customerId: string
  viewer: Viewer
  /** Reused with its time of assembly if the data is the same. */
  previous: Inventory | undefined
  /** Aborted when no caller is left. */
  gone: AbortSignal
}

/**
 * Fetches a customer's lists in parallel; subscriptions may be missing. Throws the upstream's problem, or a 503 problem
 * if the worker dies.
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

/** One call for the subscriptions, and one for each 1,000 devices. Throws the upstream's problem. */
export async function fetchDueServices(
  { client, worker, nextId }: Pick<Sources, 'client' | 'worker' | 'nextId'>,
  customerId: string,
  viewer: Viewer,
  nowMs: number,
  signal: AbortSignal
): Promise<DueServices> {
  const id = nextId()
  const reader = createListReader({ client, worker, id, customerId, bearer: viewer, signal })
  try {
    const subscriptions = await reader.subscriptions(signal)
    const devices = await reader.pages('devices')
    reader.check(signal)
    return await worker.ask(
      'dueServices',
      { id, customerId, devices, subscriptions, nowMs },
      subscriptions.pieces
    )
  } finally {
    worker.release(id)
  }
}

interface Reading {
  client: UpstreamClient
  worker: InventoryWorker
  /** The number of the reading at the worker. */
  id: number
  customerId: string
  bearer: Bearer
  signal: AbortSignal
}

/** Each throws the upstream's problem. */
interface ListReader {
  /** Numbers of its pages at the worker, in their order. */
  pages(rel: 'projects' | 'devices'): Promise<number[]>
  /** Unread: the worker adds them to their devices. */
  subscriptions(until: AbortSignal): Promise<Body>
  /** Throws when the reading was aborted, or a 503 problem if the worker died and parts were lost. */
  check(until: AbortSignal): void
}

function createListReader({ client, worker, id, customerId, bearer, signal }: Reading): ListReader {
  const { deaths } = worker

  function check(until: AbortSignal): void {
    until.throwIfAborted()
    if (worker.deaths !== deaths) throw problems.inventoryUnavailable()
  }

  return {
    check,
    async pages(rel) {
      const path = `/api/v2/management/organizations/${encodeURIComponent(customerId)}/${rel}`
      const pageAt = async (target: string, either: AbortSignal) => {
        const body = await client.getBody('MANAGEMENT', target, bearer, either, worker.pageMaxBytes)
        check(either)
        return worker.ask('page', { id, customerId, rel, ...body }, body.pieces)
      }
      return (await fetchPages({ path, size: FETCH_PAGE_SIZE }, pageAt, signal)).map(({ part }) => part)
    },
    subscriptions(until) {
      const path = `/api/v1/subscription/customers/${encodeURIComponent(customerId)}`
      return client.getBody('SUBSCRIPTION', path, bearer, until, SUBSCRIPTIONS_MAX_BYTES)
    }
  }
}
