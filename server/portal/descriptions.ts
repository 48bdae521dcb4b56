// Descriptions of the aggregated endpoints for openapi.json.
import Type from 'typebox'
import {
  CustomerPage,
  CustomerTree,
  Device,
  DevicePage,
  DeviceSearch,
  FoundPoints,
  ProjectList
} from '#shared/answers/customers.ts'
import { AlarmPage, AttentionList, Me, Usage } from '#shared/answers/portal.ts'
import type { RouteDocs } from '../types.ts'

const area = {
  name: 'Customers with their devices',
  description:
    'Customers with their projects, devices and subscriptions. The gateway joins, searches, sorts and pages the data, and caches it for 30 seconds. A change through the gateway is visible at once.'
}

const headers = {
  'if-none-match': Type.Optional(
    Type.String({ description: 'The `ETag` of the answer that the caller has cached.' })
  )
}

/** The last line of an NDJSON answer that ends early. */
const ENDED_EARLY =
  'If sending fails halfway, for example because the caller signs out or loses a right, the last line is a problem as in `application/problem+json` (`type`, `title`, `status`, `detail`, `requestId`).'

export const DOCS = {
  me: {
    area: { name: 'The caller', description: 'The person or service that makes the call.' },
    summary: 'Get the caller with their roles',
    description: 'The gateway fetches the roles again for every call, so that changes are visible at once.',
    answers: { 200: { schema: Me } }
  },
  customers: {
    area,
    summary: 'List the customers of an integrator',
    description: 'Returns the customers that the caller may see, sorted by name.',
    answers: { 200: { schema: CustomerPage } }
  },
  projects: {
    area,
    summary: 'List the projects of a customer',
    description: 'Returns the projects with their device counts, sorted by name, and the totals.',
    answers: { 200: { schema: ProjectList } }
  },
  devices: {
    area,
    summary: 'List the devices of a customer',
    description:
      'Returns devices with their project and subscriptions. A device must match every filter. A page after the last one is empty, but has correct totals.',
    answers: { 200: { schema: DevicePage } }
  },
  device: {
    area,
    summary: 'Get one device',
    answers: { 200: { schema: Device } }
  },
  usage: {
    area,
    summary: 'Get the usage metrics of a device',
    description:
      'Returns the usage of the data-services subscription, and how to show it: the level, the bar, the texts, and the points of the graph.',
    answers: { 200: { schema: Usage } },
    refusals: {
      404: {
        description: 'The customer has no such device, or the device has no data-services subscription.',
        problem: 'not_found'
      }
    }
  },
  alarms: {
    area,
    summary: 'List the alarms of a customer that need action',
    description:
      'Alarms that are not normal or not acknowledged. An alarm must match every filter. Paging reaches the first 1,000 alarms only: use filters to find more.',
    answers: { 200: { schema: AlarmPage } }
  },
  tree: {
    area,
    summary: 'Get all data of a customer',
    description: `Returns projects, their devices, and the subscriptions of each device, compressed with gzip or br if the caller accepts it. With \`Accept: application/x-ndjson\` the devices are streamed, one JSON text per line, for callers that cannot keep all devices in memory. ${ENDED_EARLY} A tree that is assembled again without a change keeps its \`ETag\` and \`assembledAt\`.`,
    headers,
    answers: {
      200: {
        headers: { ETag: 'Identifies this data in this encoding. NDJSON answers have none.' },
        schema: CustomerTree,
        lines: Device
      },
      304: { description: 'The tree has not changed.' }
    }
  },
  search: {
    area,
    summary: 'Search the devices of all customers of an integrator',
    description: `Searches the customers that the caller may view: cached ones first, then the others, a few at a time. With \`Accept: application/x-ndjson\` each line contains what changed since the previous one: new \`items\` among the best matches, \`total\` and \`customers\` so far, and new \`partial\` entries; the stream ends after the last customer. ${ENDED_EARLY} A customer is fetched again after 15 minutes, or after a change through the gateway.`,
    answers: { 200: { schema: DeviceSearch, lines: DeviceSearch } }
  },
  points: {
    area,
    summary: 'Search the points of all devices of a customer',
    description:
      'Points of a device that the text names (`AHU-1 supply`) come first, then matches by name, by the values of tags (such as the slot path), and by the names of tags. A call makes at most twelve upstream searches.',
    answers: { 200: { schema: FoundPoints } }
  },
  attention: {
    area,
    summary: 'Count what needs attention, for each customer of an integrator',
    description:
      'Answers at once with the counts that are cached, each with the time when it was fetched. For a minute after each call, the gateway fetches missing and old counts in the background: on each replica at most 8 parallel fetches for each of services, plans, alarms and backups, fewer while an API is busy or slow. A customer takes 1 call for its services, 1 for each 1,000 devices, 2 for alarms, 1 for each 500 backups of 30 days, and 1 for each data-services plan (2,000 at most). Repeat the call until `partial` is empty.',
    headers,
    answers: {
      200: { headers: { ETag: 'Identifies these counts in this encoding.' }, schema: AttentionList },
      304: { description: 'The counts have not changed.' }
    }
  }
} satisfies Record<string, RouteDocs>
