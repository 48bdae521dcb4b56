// The lists of a customer, fetched to the end of each with the caller's token; the bytes go to the worker as they are.
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'
import { problems } from '../errors.ts'
import type { Bearer, Body, UpstreamClient } from '../upstreams/client.ts'
import { fetchPages } from '../upstreams/hal.ts'
import { SUBSCRIPTIONS_MAX_BYTES } from './limits.ts'
import type { InventoryWorker } from './worker-client.ts'

interface Reading {
  client: UpstreamClient
  worker: InventoryWorker
  /** Of the reading, at the worker. */
  id: number
  customerId: string
  bearer: Bearer
  signal: AbortSignal
}

/** Each throws the upstream's problem. */
export interface ListReader {
  /** Numbers of its pages at the worker, in their order. */
  pages(rel: 'projects' | 'devices'): Promise<number[]>
  /** Not read yet: the worker adds them to their devices. */
  subscriptions(until: AbortSignal): Promise<Body>
  /** Throws when the reading was given up, and a 503 problem when a worker has died meanwhile: parts are lost then. */
  check(until: AbortSignal): void
}

export function createListReader({ client, worker, id, customerId, bearer, signal }: Reading): ListReader {
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
