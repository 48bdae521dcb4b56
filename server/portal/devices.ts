// The device table of a customer, and single devices.
import type { FastifyRequest } from 'fastify'
import { may } from '#shared/permissions.ts'
import { problems } from '../errors.ts'
import type { Inventory } from '../inventory/inventory.ts'
import { readUsageForFilter } from './attention/usage-filter.ts'
import { DOCS } from './descriptions.ts'
import { sendJson } from './encoding.ts'
import { JSON_TYPE, type PortalRoutes, SEES_DEVICES, signedIn, snapshotFor } from './request.ts'
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
      if (plan) assertMaySeeUsage(request)
      const { usage, missing } = plan
        ? readUsageForFilter(options.attention, signedIn(request.caller), request.params.customerId, plan)
        : {}
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

function assertMaySeeUsage({ caller, scope }: Pick<FastifyRequest, 'caller' | 'scope'>): void {
  if (!may(signedIn(caller).user.roleAssignments, 'data:query', scope ?? '')) throw problems.forbidden()
}

/** The device as JSON. Throws a 404 problem if the customer has no device with this uuid. */
export async function deviceIn(inventory: Inventory, deviceUuid: string): Promise<Buffer> {
  const device = await inventory.device(deviceUuid)
  if (device === null) throw problems.notFound('This customer has no such device.')
  return device
}
