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
  name: 'Customers, assembled',
  description:
    'Customers with their projects, devices and subscriptions, which the gateway joins, searches, sorts and pages. Cached for 30 seconds; a change through the gateway is visible at once.'
}

const headers = {
  'if-none-match': Type.Optional(
    Type.String({ description: 'The `ETag` of the answer that the caller has.' })
  )
}

/** The last line of an NDJSON answer that ends early. */
const ENDED_EARLY =
  'If the answer fails halfway, for example because the caller signs out or loses a right, the last line is a problem as in `application/problem+json` (`type`, `title`, `status`, `detail`, `requestId`).'

export const DOCS = {
  me: {
    area: { name: 'The caller', description: 'The caller, as the gateway knows them now.' },
    summary: 'Get the caller with their roles',
    description: 'Read again with every call, so that changed roles are visible at once.',
    answers: { 200: { schema: Me } }
  },
  customers: {
    area,
    summary: 'List the customers of an integrator',
    description: 'Cards of the customers that the caller may see, by name.',
    answers: { 200: { schema: CustomerPage } }
  },
  projects: {
    area,
    summary: 'List the projects of a customer',
    description: 'With their device counts, by name, and the totals.',
    answers: { 200: { schema: ProjectList } }
  },
  devices: {
    area,
    summary: 'List the devices of a customer',
    description:
      'With their project and subscriptions. A device must match every filter. A page past the end is empty and has the true totals.',
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
      'The data usage of its data-services subscription, and how to show it: the level, the bar, the texts, and the points of the graph.',
    answers: { 200: { schema: Usage } },
    refusals: {
      404: { description: 'No such device, or it has no data-services subscription.', problem: 'not_found' }
    }
  },
  alarms: {
    area,
    summary: 'List the alarms of a customer that need action',
    description:
      'Alarms that are not normal or not acknowledged. An alarm must match every filter. Only the first 1,000 can be paged through: use filters to find the others.',
    answers: { 200: { schema: AlarmPage } }
  },
  tree: {
    area,
    summary: 'Get all data of a customer',
    description: `Projects, their devices, and the subscriptions of each. Sent with gzip or br if the caller accepts it. With \`Accept: application/x-ndjson\` the devices are streamed, one JSON text per line, for callers that do not want to hold all of them. ${ENDED_EARLY} A tree that is assembled again without a change keeps its \`ETag\` and \`assembledAt\`.`,
    headers,
    answers: {
      200: {
        headers: { ETag: 'Identifies this data in this encoding; not with NDJSON.' },
        schema: CustomerTree,
        lines: Device
      },
      304: { description: 'The tree has not changed.' }
    }
  },
  search: {
    area,
    summary: 'Search the devices of all customers of an integrator',
    description: `Searches the customers that the caller may view: cached ones first, the others a few at a time. With \`Accept: application/x-ndjson\` each line contains what changed since the previous one: new \`items\` among the best matches, \`total\` and \`customers\` so far, and new \`partial\` entries; the stream ends with the last customer. ${ENDED_EARLY} A customer is read again after 15 minutes, or after a change through the gateway.`,
    answers: { 200: { schema: DeviceSearch, lines: DeviceSearch } }
  },
  points: {
    area,
    summary: 'Search the points of all devices of a customer',
    description:
      'First come points of devices that the text names, as in `AHU-1 supply`; then matches by name, by the values of tags (such as the slot path), and by the names of tags. A call makes at most twelve searches at the upstream.',
    answers: { 200: { schema: FoundPoints } }
  },
  attention: {
    area,
    summary: 'Count what needs a person, for each customer of an integrator',
    description:
      'Answers at once with the known counts and the times of their readings. For a minute after each call missing and old counts are read in the background: at most 8 parallel calls to each API from each replica, fewer while an API is busy or slow. A customer takes 1 call for its services, 1 for each 1,000 devices, 2 for alarms, 1 for each 500 backups of 30 days, and 1 for each data-services plan (2,000 at most). Repeat the call until `partial` is empty.',
    headers,
    answers: {
      200: { headers: { ETag: 'Identifies these counts in this encoding.' }, schema: AttentionList },
      304: { description: 'The counts have not changed.' }
    }
  }
} satisfies Record<string, RouteDocs>
