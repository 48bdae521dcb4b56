// The device table of a customer, and single devices.
import type { FastifyRequest } from 'fastify'
import type { PlanLevel } from '#shared/attention.ts'
import type { Missing } from '#shared/entities.ts'
import { may } from '#shared/permissions.ts'
import { problems } from '../errors.ts'
import type { Inventory } from '../inventory/inventory.ts'
import { plansAreKnown, usageAt } from './attention/readings.ts'
import { DOCS } from './descriptions.ts'
import { sendJson } from './encoding.ts'
import {
  JSON_TYPE,
  type PortalOptions,
  type PortalRoutes,
  SEES_DEVICES,
  signedIn,
  snapshotFor
} from './request.ts'
import { CustomerParams, DeviceParams, DevicesQuery } from './schemas.ts'

export const deviceRoutes: PortalRoutes = async (app, options) => {
  app.get(
    '/customers/:customerId/devices',
    {
      config: { id: 'portal.devices', access: SEES_DEVICES, docs: DOCS.devices },
      schema: { params: CustomerParams, querystring: DevicesQuery }
    },
    async (request, reply) => {
      const { inventory } = await snapshotFor(options, request, reply)
      const { plan, ...query } = request.query
      const { usage, missing } = plan ? devicesOfPlans(options, request, plan) : {}
      const page = await inventory.devicePage({ ...query, usage }, options.clock(), missing)
      return sendJson(request, reply, page)
    }
  )

  app.get(
    '/customers/:customerId/devices/:deviceUuid',
    {
      config: { id: 'portal.device', access: SEES_DEVICES, docs: DOCS.device },
      schema: { params: DeviceParams }
    },
    async (request, reply) => {
      const { inventory } = await snapshotFor(options, request, reply)
      return reply.type(JSON_TYPE).send(await deviceIn(inventory, request.params.deviceUuid))
    }
  )
}

/**
 * Finds devices at this level of data usage whose usage is already known; fetches the usage of the others in the
 * background. Throws a 403 problem for callers who may not see usage.
 */
function devicesOfPlans(
  { attention }: PortalOptions,
  { caller, scope, params }: Pick<FastifyRequest, 'caller' | 'scope'> & { params: { customerId: string } },
  level: PlanLevel
): { usage: Map<string, number>; missing: Missing[] } {
  const viewer = signedIn(caller)
  const { customerId } = params
  if (!may(viewer.user.roleAssignments, 'data:query', scope ?? '')) throw problems.forbidden()
  attention.watch(`plans of ${customerId}`, viewer, [
    { customerId, kinds: ['plansExceeded', 'plansWarning'] }
  ])
  const readings = attention.readingsFor(viewer)(customerId)
  return { usage: usageAt(readings, level), missing: plansAreKnown(readings) ? [] : ['plans'] }
}

/** The device as JSON. Throws a 404 problem if the customer has no device with this uuid. */
export async function deviceIn(inventory: Inventory, deviceUuid: string): Promise<Buffer> {
  const device = await inventory.device(deviceUuid)
  if (device === null) throw problems.notFound('This customer has no such device.')
  return device
}
