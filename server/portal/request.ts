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

/** The snapshot of the customer in the path. Throws the upstream's problem; stops when the caller disconnects. @param signal that of the reply, if the route has it */
export async function snapshotFor(
  snapshots: Pick<Snapshots, 'of' | 'use'>,
  request: Pick<FastifyRequest, 'caller'> & { params: { customerId: string } },
  reply: Pick<FastifyReply, 'raw'>,
  signal = disconnectSignal(reply)
): Promise<Snapshot> {
  return usedUntilSent(
    snapshots,
    await snapshots.of(request.params.customerId, signedIn(request.caller), signal),
    reply
  )
}

/** Keeps a snapshot usable until the answer is sent or the caller disconnects. Call it as soon as the snapshot is received. */
export function usedUntilSent(
  snapshots: Pick<Snapshots, 'use'>,
  snapshot: Snapshot,
  { raw }: Pick<FastifyReply, 'raw'>
): Snapshot {
  whenSent({ raw }, snapshots.use(snapshot))
  return snapshot
}

/** Calls `end` when the answer is sent or the caller disconnects; at once if the caller has already left. */
export function whenSent({ raw }: Pick<FastifyReply, 'raw'>, end: () => void): void {
  if (raw.destroyed) end()
  else raw.once('close', end)
}
