// The device table of a customer, and single devices.

import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Device, DevicePage } from '#shared/answers/customers.ts'
import { oneOf } from '#shared/answers/parts.ts'
import { PLAN_LEVELS } from '#shared/attention.ts'
import {
  DEVICE_EXPIRIES,
  DEVICE_SEARCHED,
  DEVICE_SERVICES,
  DEVICE_SORTS,
  END_SORT,
  USAGE_SORT
} from '#shared/devices.ts'
import { DEVICE_PAGE_SIZE } from '#shared/limits.ts'
import { may } from '#shared/permissions.ts'
import { problems } from '../errors.ts'
import type { Snapshots } from '../inventory/cache.ts'
import type { CustomerHandle } from '../inventory/customer-handle.ts'
import { closed, id, optional } from '../schemas.ts'
import type { Clock } from '../types.ts'
import { readUsageForFilter } from './attention/usage-filter.ts'
import { JSON_TYPE, sendJson } from './encoding.ts'
import {
  CustomerParams,
  DeviceParams,
  optionalText,
  orderWithDefault,
  page,
  pageSize,
  withDefault
} from './parameters.ts'
import type { Reader } from './readings/reader.ts'
import { CUSTOMERS_AREA, type PortalRoutes, SEES_DEVICES, signedIn, snapshotFor } from './request.ts'

const DevicesQuery = closed({
  projectId: optional(id('Only the devices of this project.', '3')),
  q: optionalText(
    `Part of ${DEVICE_SEARCHED.map((field) => `\`${field}\``).join(', ')}; white space and case are ignored. Nothing matches a text with one of \`* < > " ' % ( ) & + / ^ | ? [ ] \\\`.`
  ),
  match: optional(
    oneOf(
      ['words'],
      '`words`: also the device whose uuid is `q`, and devices that have each word of `q` in their name or project, at least one of them in their name.'
    )
  ),
  service: optional(oneOf(DEVICE_SERVICES, 'Only devices with an active subscription of this service.')),
  expires: Type.Optional(
    Type.Enum([...DEVICE_EXPIRIES], {
      type: 'integer',
      description:
        'Only devices with an active subscription that ends within this number of days, rounded up. With `service`, only subscriptions of that service count. `0`: only devices with an ended service that has no later subscription.'
    })
  ),
  plan: optional(
    oneOf(
      PLAN_LEVELS,
      'Only devices at this level of data usage. While usage is still being fetched, devices may be missing and `partial` contains `plans`.'
    )
  ),
  sort: withDefault(
    oneOf(
      [...DEVICE_SORTS, END_SORT, USAGE_SORT],
      'The field to sort by. `nearestEnd`: when the first active subscription ends; devices without one come last in both orders. `usagePercent` requires `plan`.'
    ),
    'deviceName'
  ),
  order: orderWithDefault('asc'),
  page,
  size: pageSize(DEVICE_PAGE_SIZE)
})

interface Services {
  snapshots: Snapshots
  reader: Reader
  clock: Clock
}

export const deviceRoutes: PortalRoutes<Services> = async (app, { snapshots, reader, clock }) => {
  app.get(
    '/customers/:customerId/devices',
    {
      config: {
        id: 'portal.devices',
        access: SEES_DEVICES,
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the devices of a customer',
          description:
            'Returns devices with their project and subscriptions. A device must match every filter. A page after the last one is empty, but has correct totals.',
          answers: { 200: { schema: DevicePage } }
        }
      },
      schema: { params: CustomerParams, querystring: DevicesQuery }
    },
    async (request, reply) => {
      const { customer } = await snapshotFor(snapshots, request, reply)
      const { plan, ...query } = request.query
      if (plan) assertMaySeeUsage(request)
      const { usage, missing } = plan
        ? readUsageForFilter(reader, signedIn(request.caller), request.params.customerId, plan)
        : {}
      const page = await customer.devicePage({ ...query, usage }, clock(), missing)
      return sendJson(request, reply, page)
    }
  )

  app.get(
    '/customers/:customerId/devices/:deviceUuid',
    {
      config: {
        id: 'portal.device',
        access: SEES_DEVICES,
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'Get one device',
          answers: { 200: { schema: Device } }
        }
      },
      schema: { params: DeviceParams }
    },
    async (request, reply) => {
      const { customer } = await snapshotFor(snapshots, request, reply)
      return reply.type(JSON_TYPE).send(await deviceIn(customer, request.params.deviceUuid))
    }
  )
}

function assertMaySeeUsage({ caller, scope }: Pick<FastifyRequest, 'caller' | 'scope'>): void {
  if (!may(signedIn(caller).user.roleAssignments, 'data:query', scope ?? '')) throw problems.forbidden()
}

/** The device as JSON. Throws a 404 problem if the customer has no device with this uuid. */
export async function deviceIn(customer: CustomerHandle, deviceUuid: string): Promise<Buffer> {
  const device = await customer.device(deviceUuid)
  if (device === null) throw problems.notFound('This customer has no such device.')
  return device
}
