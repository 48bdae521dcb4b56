// Fetches all pages of a customer's lists (upstream contract) with the caller's token. Only the worker parses them.
import type { Organization } from '#shared/entities.ts'
import { problems } from '../errors.ts'
import { step } from '../observability/trace.ts'
import type { Clock } from '../types.ts'
import type { Bearer, Body, UpstreamClient } from '../upstreams/client.ts'
import { fetchPages } from '../upstreams/hal.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import type { Viewer } from '../upstreams/visibility.ts'
import { type CustomerHandle, createCustomerHandle } from './customer-handle.ts'
import type { DueServices } from './worker/due-services.ts'
import type { InventoryWorker } from './worker-client.ts'
import { FETCH_PAGE_SIZE, SUBSCRIPTIONS_MAX_BYTES } from './worker-messages.ts'

/** Maximum wait for the subscriptions after all other lists have arrived. */
const SUBSCRIPTIONS_GRACE_MS = 5_000

export interface Snapshot {
  organization: Organization
  customer: CustomerHandle
  /** When the fetch began, in milliseconds since 1970. */
  takenAt: number
}

export interface Sources {
  client: UpstreamClient
  organizations: OrganizationDirectory
  worker: InventoryWorker
  clock: Clock
  /** Time limits of the whole fetch, and of the wait for subscriptions after the other lists. */
  limits: { fetchMs: number; subscriptionsMs?: number }
}

interface SnapshotRequest {
  /** Identifies the fetch, and later the snapshot, at the worker. */
  id: number
  customerId: string
  viewer: Viewer
  /** The previous snapshot, which the worker reuses, with its time of assembly, if the new data is equal. */
  previous: CustomerHandle | undefined
  /** Aborted when no caller waits for the snapshot any more. */
  gone: AbortSignal
}

/**
 * Fetches a customer's lists in parallel. Reports failed subscriptions as missing. Throws the upstream's problem, or a
 * 503 problem if the worker dies.
 */
export function takeSnapshot(sources: Sources, request: SnapshotRequest): Promise<Snapshot> {
  const attributes = { 'portal.customer_id': request.customerId }
  return step('assemble customer', attributes, () => fetchAndAssemble(sources, request))
}

async function fetchAndAssemble(sources: Sources, request: SnapshotRequest): Promise<Snapshot> {
  const { worker, clock, limits, client, organizations } = sources
  const { id, customerId, viewer, previous, gone } = request
  const takenAt = clock()
  const aborter = new AbortController()
  const subscriptionsAborter = new AbortController()
  const signal = AbortSignal.any([gone, AbortSignal.timeout(limits.fetchMs), aborter.signal])
  const reader = createListReader({ client, worker, id, customerId, bearer: viewer, signal })

  try {
    const subscriptionsFetch = reader
      .subscriptions(AbortSignal.any([signal, subscriptionsAborter.signal]))
      .catch(() => null)
    const [organization, projects, devices] = await Promise.all([
      organizations.find(customerId, viewer),
      reader.pages('projects'),
      reader.pages('devices')
    ])
    const grace = setTimeout(
      () => subscriptionsAborter.abort(),
      limits.subscriptionsMs ?? SUBSCRIPTIONS_GRACE_MS
    )
    const subscriptions = await subscriptionsFetch.finally(() => clearTimeout(grace))
    reader.check(gone)
    const summary = await worker.call(
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
    return { organization, customer: createCustomerHandle(worker, id, summary), takenAt }
  } catch (error) {
    aborter.abort()
    worker.release(id)
    throw error
  }
}

/** Makes one call for the subscriptions and one per 1,000 devices. Throws the upstream's problem. */
export async function fetchDueServices(
  { client, worker }: Pick<Sources, 'client' | 'worker'>,
  customerId: string,
  viewer: Viewer,
  nowMs: number,
  signal: AbortSignal
): Promise<DueServices> {
  const id = worker.nextId()
  const reader = createListReader({ client, worker, id, customerId, bearer: viewer, signal })
  try {
    const subscriptions = await reader.subscriptions(signal)
    // Background reads count on one call at a time.
    const devices = await reader.pages('devices', { parallel: 1 })
    reader.check(signal)
    return await worker.call(
      'dueServices',
      { id, customerId, devices, subscriptions, nowMs },
      subscriptions.pieces
    )
  } finally {
    worker.release(id)
  }
}

interface ReaderOptions {
  client: UpstreamClient
  worker: InventoryWorker
  /** Identifies the fetch at the worker. */
  id: number
  customerId: string
  bearer: Bearer
  signal: AbortSignal
}

/** Fetches the lists of one customer. The functions throw the upstream's problem. */
interface ListReader {
  /** Sends each page to the worker. Returns the `part` numbers of the pages, in list order. */
  pages(rel: 'projects' | 'devices', options?: { parallel: number }): Promise<number[]>
  /** Returns the unparsed list. The worker adds the subscriptions to their devices. */
  subscriptions(until: AbortSignal): Promise<Body>
  /** Throws if `until` was aborted, or a 503 problem if the worker died and lost the pages. */
  check(until: AbortSignal): void
}

function createListReader({ client, worker, id, customerId, bearer, signal }: ReaderOptions): ListReader {
  const { deaths } = worker

  function check(until: AbortSignal): void {
    until.throwIfAborted()
    if (worker.deaths !== deaths) throw problems.inventoryUnavailable()
  }

  return {
    check,
    async pages(rel, options?: { parallel: number }) {
      const path = `/api/v2/management/organizations/${encodeURIComponent(customerId)}/${rel}`
      const pageAt = async (target: string, pageSignal: AbortSignal) => {
        const body = await client.getBody('MANAGEMENT', target, bearer, pageSignal, worker.pageMaxBytes)
        check(pageSignal)
        return worker.call('page', { id, customerId, rel, ...body }, body.pieces)
      }
      return (await fetchPages({ path, size: FETCH_PAGE_SIZE, ...options }, pageAt, signal)).map(
        ({ part }) => part
      )
    },
    subscriptions(until) {
      const path = `/api/v1/subscription/customers/${encodeURIComponent(customerId)}`
      return client.getBody('SUBSCRIPTION', path, bearer, until, SUBSCRIPTIONS_MAX_BYTES)
    }
  }
}
