// Descriptions of the aggregated endpoints for openapi.json.
import Type from 'typebox'
import { CustomerPage, CustomerTree, Device, DevicePage, ProjectList } from '#shared/answers/customers.ts'
import { AlarmPage, Me, Usage } from '#shared/answers/portal.ts'
import type { RouteDocs } from '../types.ts'

/** The area of the endpoints about customers. */
export const CUSTOMERS_AREA = {
  name: 'Customers, assembled',
  description:
    'Customers with their projects, devices and subscriptions put together, searched, sorted and paged by the gateway. Kept for 30 seconds; a write through the gateway is seen at once.'
}

export const IF_NONE_MATCH = {
  'if-none-match': Type.Optional(Type.String({ description: 'The `ETag` of the answer at hand.' }))
}

/** The last line of an NDJSON answer that ends early. */
export const ENDED_EARLY =
  'When the caller signs out, loses a right or something else fails on the way, the last line is a problem instead, as in `application/problem+json` (`type`, `title`, `status`, `detail`, `requestId`).'

type Endpoint = 'me' | 'customers' | 'projects' | 'devices' | 'device' | 'usage' | 'alarms' | 'tree'

export const DOCS: Record<Endpoint, RouteDocs> = {
  me: {
    area: { name: 'The caller', description: 'Who calls, as the gateway knows them now.' },
    summary: 'Get the caller with their roles',
    description: 'Read again with every call: changed roles show at once.',
    answers: { 200: { schema: Me } }
  },
  customers: {
    area: CUSTOMERS_AREA,
    summary: 'List the customers of an integrator',
    description: 'Cards of the customers that the caller may see, by name.',
    answers: { 200: { schema: CustomerPage } }
  },
  projects: {
    area: CUSTOMERS_AREA,
    summary: 'List the projects of a customer',
    description: 'With their device counts, by name, and the totals.',
    answers: { 200: { schema: ProjectList } }
  },
  devices: {
    area: CUSTOMERS_AREA,
    summary: 'List the devices of a customer',
    description:
      'With their project and subscriptions, all those that pass every filter given. A page past the end is empty and has the true totals.',
    answers: { 200: { schema: DevicePage } }
  },
  device: {
    area: CUSTOMERS_AREA,
    summary: 'Get one device',
    answers: { 200: { schema: Device } }
  },
  usage: {
    area: CUSTOMERS_AREA,
    summary: 'Get the usage metrics of a device',
    description:
      'Data used of the plan of its data-services subscription, and how it is to be shown: the level, the bar, the texts, and the points of the graph.',
    answers: { 200: { schema: Usage } },
    refusals: {
      404: { description: 'No such device, or it has no data-services subscription.', problem: 'not_found' }
    }
  },
  alarms: {
    area: CUSTOMERS_AREA,
    summary: 'List the alarms of a customer that need action',
    description:
      'Those that are not back to normal, or not acknowledged, and pass every filter given. Of more than 1,000 only the first ones are paged through: the others are found by narrowing the list.',
    answers: { 200: { schema: AlarmPage } }
  },
  tree: {
    area: CUSTOMERS_AREA,
    summary: 'Get everything of a customer',
    description: `Projects, their devices, and the subscriptions of each. Sent with gzip or br as asked for. With \`Accept: application/x-ndjson\` the devices are streamed, one JSON text a line, for readers that do not want to hold all of them. ${ENDED_EARLY} A tree that is assembled again and is the same keeps its \`ETag\` and \`assembledAt\`.`,
    headers: IF_NONE_MATCH,
    answers: {
      200: {
        headers: { ETag: 'Names exactly this data in this encoding; not with NDJSON.' },
        schema: CustomerTree,
        lines: Device
      },
      304: { description: 'The tree at hand is still the same.' }
    }
  }
}
