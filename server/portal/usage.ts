// The usage metrics of a device, from its data-services subscription and the upstream's counts.

import type { Device, Missing, Subscription } from '#shared/answers/customers.ts'
import { Usage } from '#shared/answers/portal.ts'
import { Problem, problems } from '../errors.ts'
import type { Snapshots } from '../inventory/cache.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { disconnectSignal } from '../upstreams/disconnect-signal.ts'
import { fetchUsage } from '../upstreams/usage.ts'
import { planOf, usageOf, usagePeriod } from '../usage-metrics.ts'
import { deviceIn } from './devices.ts'
import { DeviceParams } from './parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn, snapshotFor } from './request.ts'

interface Services {
  client: UpstreamClient
  snapshots: Snapshots
  clock: Clock
}

export const usageRoutes: PortalRoutes<Services> = async (app, { client, snapshots, clock }) => {
  app.get(
    '/customers/:customerId/devices/:deviceUuid/usage',
    {
      config: {
        id: 'portal.usage',
        access: { action: 'data:query', scope: 'customer-device' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'Get the usage metrics of a device',
          description:
            'Returns the usage of the data-services subscription, and how to show it: the level, the bar, the texts, and the points of the graph.',
          answers: { 200: { schema: Usage } },
          refusals: {
            404: {
              description:
                'The customer has no such device, or the device has no data-services subscription.',
              problem: 'not_found'
            }
          }
        }
      },
      schema: { params: DeviceParams }
    },
    async (request, reply): Promise<Usage> => {
      const { customer } = await snapshotFor(snapshots, request, reply)
      const device: Device = JSON.parse((await deviceIn(customer, request.params.deviceUuid)).toString())
      const nowMs = clock()
      const plan = dataPlanOf(device, customer.partial, nowMs)
      const period = usagePeriod(plan.startDate, nowMs)
      const bearer = signedIn(request.caller)
      return usageOf(
        plan,
        await fetchUsage(client, device.id, period, bearer, disconnectSignal(reply)),
        nowMs
      )
    }
  )
}

/** Throws a 404 problem if the device has no plan, or a 503 problem if subscriptions are `missing`. */
function dataPlanOf({ subscriptions }: Device, missing: readonly Missing[], nowMs: number): Subscription {
  const plan = planOf(subscriptions, nowMs)
  if (plan) return plan
  if (missing.includes('subscriptions'))
    throw new Problem(503, 'upstream_unavailable', { retryAfterSeconds: 2 })
  throw problems.notFound('This device has no data-services subscription.')
}
