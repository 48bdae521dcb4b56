// Lists the devices of all customers that the caller may view, from the snapshots that the search reads too.
import type { CustomerName } from '#shared/answers/customers.ts'
import { oneOf } from '#shared/answers/parts.ts'
import { OrganizationDeviceLine, OrganizationDevices } from '#shared/answers/worklists.ts'
import { DEVICE_ORDER, DEVICE_SERVICES, DEVICE_SORTS, END_SORT } from '#shared/devices.ts'
import { ORGANIZATION_LIST_SIZE } from '#shared/limits.ts'
import { holdingAt, may } from '#shared/permissions.ts'
import type { SearchedCustomer, Snapshots } from '../../inventory/cache.ts'
import type { DeviceListQuery } from '../../inventory/device-query.ts'
import { closed, id, optional } from '../../schemas.ts'
import type { Clock } from '../../types.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import type { CustomerLists } from '../customer-lists.ts'
import { formatFor } from '../encoding.ts'
import {
  LIST_FORMATS,
  LIST_FORMATS_TEXT,
  LIST_REFUSALS,
  listAnswers,
  sendPage,
  sendWhole
} from '../list-formats.ts'
import {
  OrganizationParams,
  optionalText,
  orderWithDefault,
  page,
  pageSize,
  withDefault
} from '../parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn, whenSent } from '../request.ts'
import type { CustomerReads } from './customer-reads.ts'
import { createRights } from './search.ts'

const DevicesQuery = closed({
  q: optionalText(
    'Part of the name, host ID, location or project of the device, or of the name of its customer; or the whole uuid of the device; or several words, each in the name of the device, its project or its customer, and at least one in the name of the device. White space and case are ignored. Nothing matches a text with one of `* < > " \' % ( ) & + / ^ | ? [ ] \\`.'
  ),
  customerId: optional(id('Only devices of this customer.', '9')),
  service: optional(oneOf(DEVICE_SERVICES, 'Only devices with an active subscription of this service.')),
  sort: withDefault(
    oneOf(
      [...DEVICE_SORTS, 'customer', END_SORT],
      'The field to sort by. `nearestEnd`: when the first active subscription ends; devices without one come last in both orders.'
    ),
    DEVICE_ORDER.sort
  ),
  order: orderWithDefault('asc'),
  page,
  size: pageSize(ORGANIZATION_LIST_SIZE)
})

interface Services {
  clock: Clock
  customerLists: CustomerLists
  customerReads: CustomerReads
  snapshots: Snapshots
}

export const organizationDeviceRoutes: PortalRoutes<Services> = async (app, services) => {
  const { clock, customerLists, customerReads, snapshots } = services
  app.get(
    '/organizations/:organizationId/devices',
    {
      config: {
        id: 'portal.organization-devices',
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the devices of all customers of an integrator',
          description: `Devices with their project, subscriptions and customer, of the customers where the caller has \`devices:view\`. Answers at once with the customers that are cached; \`partial\` names the others, and those whose subscriptions are missing. For a minute after each call, the gateway fetches them, a few at a time. So repeat the call until \`partial\` is empty. A customer is fetched again after 15 minutes, or after a change through the gateway. ${LIST_FORMATS_TEXT}`,
          answers: listAnswers(OrganizationDevices, OrganizationDeviceLine),
          refusals: LIST_REFUSALS
        }
      },
      schema: { params: OrganizationParams, querystring: DevicesQuery }
    },
    async (request, reply) => {
      const format = formatFor(request, LIST_FORMATS)
      const caller = signedIn(request.caller)
      const { customerId, page, size, ...fields } = request.query
      const query = fields as DeviceListQuery
      const cards = await customerLists.of(request.params.organizationId, caller, disconnectSignal(reply))
      const heldAt = holdingAt(caller.user.roleAssignments)
      const customers = cards
        .filter(({ id, scope }) => may(heldAt(scope), 'devices:view', scope) && id === (customerId ?? id))
        .map(({ id, orgName, scope }): CustomerName => ({ id, orgName, scope }))
      const rights = createRights({ caller, customers })
      const { cachedCustomers, uncachedCustomers } = customerReads.known(customers, caller)
      const listed = cachedCustomers.filter(rights.mayView)
      const ends = listed.map(({ snapshot }) => snapshots.use(snapshot))
      whenSent(reply, () => {
        for (const end of ends) end()
      })
      const incomplete = listed.filter(({ snapshot }) => snapshot.customer.partial.length > 0)
      const partial = [...uncachedCustomers, ...incomplete.map(({ customer }) => customer)]
      if (partial.length > 0) customerReads.start(partial, caller, rights)
      if (uncachedCustomers.length === 0) customerReads.refresh(cachedCustomers, caller, rights)

      const nowMs = clock()
      const summary = {
        customers: { read: listed.length - incomplete.length, of: customers.length },
        partial,
        readAt: oldestOf(listed)
      }
      if (format === 'application/json') {
        const { json, partialCount } = await snapshots.list(listed, { ...query, page, size }, nowMs, summary)
        return sendPage(request, reply, partialCount, Buffer.from(json.buffer))
      }
      const texts = snapshots.listTexts(listed, query, nowMs, format)
      return sendWhole(request, reply, {
        name: 'devices',
        format,
        caller,
        nowMs,
        summary,
        texts
      })
    }
  )
}

function oldestOf(listed: readonly SearchedCustomer[]): string | null {
  if (listed.length === 0) return null
  const oldest = listed.reduce(
    (time, { snapshot }) => Math.min(time, snapshot.takenAt),
    Number.POSITIVE_INFINITY
  )
  return new Date(oldest).toISOString()
}
