// The usage metrics of a device, from its data-services subscription and the upstream's counts.
import type { Usage } from '#shared/answers/portal.ts'
import type { Device, Missing, Subscription } from '#shared/entities.ts'
import { planOf, usageOf, usagePeriod } from '#shared/usage.ts'
import { Problem, problems } from '../errors.ts'
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
    async (request, reply): Promise<Usage> => {
      const { inventory } = await snapshotFor(options, request, reply)
      const device: Device = JSON.parse((await deviceIn(inventory, request.params.deviceUuid)).toString())
      const plan = dataPlanOf(device, inventory.partial)
      const nowMs = options.clock()
      const period = usagePeriod(plan.startDate, nowMs)
      const bearer = signedIn(request.caller)
      return usageOf(
        plan,
        await fetchUsage(options.client, device.id, period, bearer, goneSignal(reply)),
        nowMs
      )
    }
  )
}

/** Throws a 404 problem if the device has no plan, or a 503 problem if subscriptions are `missing`. */
function dataPlanOf({ subscriptions }: Device, missing: readonly Missing[]): Subscription {
  const plan = planOf(subscriptions)
  if (plan) return plan
  if (missing.includes('subscriptions'))
    throw new Problem(503, 'upstream_unavailable', { retryAfterSeconds: 2 })
  throw problems.notFound('This device has no data-services subscription.')
}
