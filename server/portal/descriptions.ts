// What openapi.json tells of the aggregated endpoints. Data only.
import Type from 'typebox'
import type {
  CustomerCard,
  CustomerTree,
  Device,
  DevicePage,
  Me,
  Page,
  ProjectList
} from '#shared/entities.ts'
import type { Usage } from '#shared/usage.ts'
import type { RouteDocs } from '../types.ts'
import { ALARM } from '../upstreams/alarm-record.ts'
import { MeSchema } from './me-schema.ts'
import {
  AlarmPageSchema,
  CustomerPageSchema,
  CustomerTreeSchema,
  DevicePageSchema,
  DeviceSchema,
  ProjectListSchema,
  UsageSchema
} from './schemas.ts'

const area = {
  name: 'Customers, assembled',
  description:
    'Customers with their projects, devices and subscriptions put together, searched, sorted and paged by the gateway. Kept for 30 seconds; a write through the gateway is seen at once.'
}

const SCOPE = '/organizations/1/customers/9'
const CARD: CustomerCard = {
  id: '9',
  orgName: 'Northwind Properties',
  projectCount: 2,
  deviceCount: 31,
  scope: SCOPE
}
const DEVICE: Device = {
  id: 'd-7',
  deviceUuid: '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80',
  deviceName: 'AHU-3',
  hostId: 'Qnx-TITAN-1A2B-3C4D-5E6F-7A8B',
  location: 'Roof, north',
  projectId: '3',
  projectName: 'East Wing',
  systemGuid: '5f1c0a9b7d3e2f4a6b8c0d1e',
  createdDate: '2024-11-04T08:15:00.000Z',
  subscriptions: [
    {
      offeringCode: 'NDS',
      startDate: '2025-01-01T00:00:00.000Z',
      endDate: '2026-01-01T00:00:00.000Z',
      planLimit: 25
    }
  ]
}
const CARDS: Page<CustomerCard> = {
  items: [CARD],
  page: { number: 0, size: 20, totalPages: 1, totalElements: 1 }
}
const PROJECTS: ProjectList = {
  customer: { id: CARD.id, orgName: CARD.orgName, scope: SCOPE },
  projects: [
    { id: '3', projectName: 'East Wing', deviceCount: 30 },
    { id: '4', projectName: 'West Wing', deviceCount: 1 }
  ],
  totals: { projects: 2, devices: 31 },
  partial: []
}
const DEVICES: DevicePage = {
  items: [DEVICE],
  page: { number: 0, size: 15, totalPages: 3, totalElements: 31 },
  partial: []
}
const TREE: CustomerTree = {
  customerId: '9',
  assembledAt: '2025-06-12T12:05:31.120Z',
  partial: [],
  projects: [{ id: '3', projectName: 'East Wing', devices: [DEVICE] }],
  unassigned: []
}

const USAGE: Usage = {
  planLimit: 25,
  startDate: '2025-01-01T00:00:00.000Z',
  endDate: '2026-01-01T00:00:00.000Z',
  used: 21.5,
  percent: 86,
  level: 'warning',
  over: 0,
  bar: { fill: 57.333333333333336, baseline: 66.5 },
  title: 'Usage Warning',
  text: 'Data usage is approaching the limit',
  period: 'Monthly',
  graph: true,
  banner: null,
  points: [
    { time: '2025-06-11T00:00:00.000Z', value: 10.75 },
    { time: '2025-06-12T00:00:00.000Z', value: 10.75 }
  ]
}

type Endpoint = 'me' | 'customers' | 'projects' | 'devices' | 'device' | 'usage' | 'alarms' | 'tree'

const ME: Me = {
  user: {
    id: 'u-5',
    organizationId: '9',
    organizationName: CARD.orgName,
    fullName: 'Carla Almeida',
    email: 'carla@northwind.example',
    userType: 'CUSTOMER',
    roleAssignments: [{ id: 'ra-1', role: 'customer_user', scope: SCOPE }]
  },
  actions: ['projects:view', 'devices:view']
}

export const DOCS: Record<Endpoint, RouteDocs> = {
  me: {
    area: { name: 'The caller', description: 'Who calls, as the gateway knows them now.' },
    summary: 'Get the caller with their roles',
    description: 'Read anew with every call: roles that were changed meanwhile show at once.',
    answers: { 200: { description: 'The user and what they may do.', schema: MeSchema, example: ME } }
  },
  customers: {
    area,
    summary: 'List the customers of an integrator',
    description: 'Cards of the customers that the caller may see, by name.',
    answers: { 200: { description: 'One page of cards.', schema: CustomerPageSchema, example: CARDS } }
  },
  projects: {
    area,
    summary: 'List the projects of a customer',
    description: 'With their device counts, by name, and the totals.',
    answers: { 200: { description: 'All projects.', schema: ProjectListSchema, example: PROJECTS } }
  },
  devices: {
    area,
    summary: 'List the devices of a customer',
    description:
      'With their project and subscriptions, all those that pass every filter given. A page past the end is empty and has the true totals.',
    answers: { 200: { description: 'One page of devices.', schema: DevicePageSchema, example: DEVICES } }
  },
  device: {
    area,
    summary: 'Get one device',
    answers: { 200: { description: 'The device.', schema: DeviceSchema, example: DEVICE } }
  },
  usage: {
    area,
    summary: 'Get the usage metrics of a device',
    description:
      'Data used of the plan of its data-services subscription, and how it is to be shown: the level, the bar, the texts, and the points of the graph.',
    answers: { 200: { description: 'The usage metrics.', schema: UsageSchema, example: USAGE } },
    refusals: {
      404: { description: 'No such device, or it has no data-services subscription.', problem: 'not_found' }
    }
  },
  alarms: {
    area,
    summary: 'List the alarms of a customer that need action',
    description:
      'Those that are not back to normal, or not acknowledged, and pass every filter given. Of more than 1,000 only the first ones are paged through: the others are found by narrowing the list.',
    answers: {
      200: {
        description: 'One page of alarms.',
        schema: AlarmPageSchema,
        example: { items: [ALARM], page: { number: 0, size: 25, totalPages: 1, totalElements: 1 } }
      }
    }
  },
  tree: {
    area,
    summary: 'Get everything of a customer',
    description:
      'Projects, their devices, and the subscriptions of each. Sent with gzip or br as asked for. With `Accept: application/x-ndjson` the devices are streamed, one JSON text a line, for readers that do not want to hold all of them. A tree that was put together anew and is the same keeps its `ETag` and `assembledAt`.',
    headers: Type.Object({
      'if-none-match': Type.Optional(Type.String({ description: 'The `ETag` of the tree at hand.' }))
    }),
    answers: {
      200: {
        description: 'The whole customer.',
        headers: { ETag: 'Names exactly this data in this encoding; not with NDJSON.' },
        schema: CustomerTreeSchema,
        example: TREE,
        otherwise: { 'application/x-ndjson': { schema: DeviceSchema, example: DEVICE } }
      },
      304: { description: 'The tree at hand is still the same.' }
    }
  }
}
