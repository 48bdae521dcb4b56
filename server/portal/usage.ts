// The usage metrics of a device: its data-services subscription, and what the upstream has counted.
import type { Device, Missing } from '#shared/entities.ts'
import { planOf, type Usage, usageOf, usagePeriod } from '#shared/usage.ts'
import { Problem, problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from '../upstreams/client.ts'
import { goneSignal } from '../upstreams/gone.ts'
import { fetchUsage } from '../upstreams/usage.ts'
import { DOCS } from './descriptions.ts'
import { deviceIn } from './devices.ts'
import { type PortalRoutes, signedIn, snapshotFor } from './request.ts'
import { DeviceParams } from './schemas.ts'

export const usageRoutes: PortalRoutes = async (app, options) => {
  app.get(
    '/customers/:customerId/devices/:deviceUuid/usage',
    {
      config: {
        id: 'portal.usage',
        access: { action: 'data:query', scope: 'customer-device' },
        docs: DOCS.usage
      },
      schema: { params: DeviceParams }
    },
    async (request, reply) => {
      const { inventory } = await snapshotFor(options, request, reply)
      const device: Device = JSON.parse((await deviceIn(inventory, request.params.deviceUuid)).toString())
      return usageFor(device, inventory.partial, {
        client: options.client,
        bearer: signedIn(request.caller),
        signal: goneSignal(reply),
        nowMs: options.clock()
      })
    }
  )
}

interface Asked {
  client: UpstreamClient
  bearer: Bearer
  signal: AbortSignal
  nowMs: number
}

/**
 * Throws a 404 problem when the device has no such subscription, and a 503 problem when subscriptions are `missing`: then
 * nobody knows.
 */
export async function usageFor(
  device: Device,
  missing: readonly Missing[],
  { client, bearer, signal, nowMs }: Asked
): Promise<Usage> {
  const plan = planOf(device.subscriptions)
  if (plan === undefined && missing.includes('subscriptions'))
    throw new Problem(503, 'upstream_unavailable', { retryAfterSeconds: 2 })
  if (plan === undefined) throw problems.notFound('This device has no data-services subscription.')
  const period = usagePeriod(plan.startDate, nowMs)
  return usageOf(plan, await fetchUsage(client, device.id, period, bearer, signal), nowMs)
}
