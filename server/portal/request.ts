// Shared by the aggregated endpoints: how they find the caller and the customer, and what several of them declare.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problems } from '../errors.ts'
import type { Snapshots } from '../inventory/cache.ts'
import type { Snapshot } from '../inventory/fetch.ts'
import type { Access, Caller } from '../types.ts'
import { disconnectSignal } from '../upstreams/disconnect-signal.ts'

/** The routes of an endpoint, with the services that they use. */
export type PortalRoutes<Services extends object> = FastifyPluginAsyncTypebox<Services>

export const SEES_DEVICES = { action: 'devices:view', scope: 'customer' } as const satisfies Access

/** The area of openapi.json that lists most aggregated endpoints. */
export const CUSTOMERS_AREA = {
  name: 'Customers with their devices',
  description:
    'Customers with their projects, devices and subscriptions. The gateway joins, searches, sorts and pages the data, and caches it for 30 seconds. A change through the gateway is visible at once.'
}

/** The caller. Throws 401 if there is none, but enforcement has already checked that. */
export function signedIn(caller: Caller | null): Caller {
  if (caller === null) throw problems.notSignedIn()
  return caller
}

/** The snapshot of the customer in the path. Throws the upstream's problem; stops when the caller disconnects. */
export function snapshotFor(
  snapshots: Pick<Snapshots, 'of'>,
  request: Pick<FastifyRequest, 'caller'> & { params: { customerId: string } },
  reply: Pick<FastifyReply, 'raw'>
): Promise<Snapshot> {
  return snapshots.of(request.params.customerId, signedIn(request.caller), disconnectSignal(reply))
}
