// Shared by the aggregated endpoints: their options, and how they find the caller and the customer.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Action, may } from '#shared/permissions.ts'
import type { Config } from '../config/settings.ts'
import { problems } from '../errors.ts'
import type { Limits } from '../http/limits.ts'
import type { Snapshots } from '../inventory/cache.ts'
import type { Snapshot } from '../inventory/fetch.ts'
import type { Recorder } from '../observability/recorder.ts'
import type { Access, Caller, Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { disconnectSignal } from '../upstreams/disconnect-signal.ts'
import type { createLiveLists } from './alarms/live-lists.ts'
import type { CustomerLists } from './customer-lists.ts'
import type { Changes } from './events/changes.ts'
import type { Streams } from './events/streams.ts'
import type { Attention } from './readings/attention.ts'
import type { AlarmWatch } from './readings/watch.ts'

export interface PortalOptions {
  config: Config
  client: UpstreamClient
  snapshots: Snapshots
  attention: Attention
  customerLists: CustomerLists
  alarmWatch: AlarmWatch
  liveLists: ReturnType<typeof createLiveLists>
  recorder: Recorder
  streams: Streams
  inventoryChanges: Changes
  countChanges: Changes
  limits: Limits
  clock: Clock
}

export type PortalRoutes = FastifyPluginAsyncTypebox<PortalOptions>

export const SEES_DEVICES = { action: 'devices:view', scope: 'customer' } as const satisfies Access

/** The area of openapi.json that lists most aggregated endpoints. */
export const CUSTOMERS_AREA = {
  name: 'Customers with their devices',
  description:
    'Customers with their projects, devices and subscriptions. The gateway joins, searches, sorts and pages the data, and caches it for 30 seconds. A change through the gateway is visible at once.'
}

/** Content type of bodies that are already JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** The caller. Throws 401 if there is none, but enforcement has already checked that. */
export function signedIn(caller: Caller | null): Caller {
  if (caller === null) throw problems.notSignedIn()
  return caller
}

/** The problem that ends a long answer when the roles of the caller no longer allow it. */
export const rolesChanged = () => problems.forbidden('Your roles have changed. Ask again.')

/**
 * Checks access again during a long answer: throws 401 after a sign-out, 403 if the roles no longer allow the action.
 */
export async function decideAgain(
  { caller, scope }: Pick<FastifyRequest, 'caller' | 'scope'>,
  action: Action
): Promise<void> {
  const { roleAssignments } = await signedIn(caller).currentUser()
  if (!may(roleAssignments, action, scope ?? '')) throw rolesChanged()
}

/** The snapshot of the customer in the path. Throws the upstream's problem; stops when the caller disconnects. */
export function snapshotFor(
  { snapshots }: PortalOptions,
  request: Pick<FastifyRequest, 'caller'> & { params: { customerId: string } },
  reply: Pick<FastifyReply, 'raw'>
): Promise<Snapshot> {
  return snapshots.of(request.params.customerId, signedIn(request.caller), disconnectSignal(reply))
}
