// Schemas of customers with their projects and devices, in answers of the gateway's own endpoints.
import Type, { type Static } from 'typebox'
import { DEVICE_FIELDS } from '../devices.ts'
import { MATCHES } from '../found-devices.ts'
import { count, countOrNull, named, oneOf, pageOf, text, textOrNull, time } from './parts.ts'
import { PointModel } from './points.ts'

const Missing = oneOf(['subscriptions', 'plans'])
/** A part of an answer that the gateway could not fetch. */
export type Missing = Static<typeof Missing>
const partial = Type.Array(Missing, {
  $id: 'Partial',
  description: 'The parts that could not be fetched; empty if the answer is complete.'
})

const customerName = { id: text(), orgName: text(), scope: text('Scope path of the customer.') }
export const CustomerName = named('CustomerName', customerName)
export type CustomerName = Static<typeof CustomerName>

export const customerCard = { ...customerName, projectCount: count(), deviceCount: count() }
const CustomerCard = named('CustomerCard', customerCard)
/** A card of the customers page. */
export type CustomerCard = Static<typeof CustomerCard>
export const CustomerPage = named('CustomerPage', pageOf(CustomerCard))

const project = { id: text(), projectName: text() }
export type Project = Pick<ProjectList['projects'][number], 'id' | 'projectName'>

export const ProjectList = named('ProjectList', {
  customer: CustomerName,
  projects: Type.Array(Type.Object({ ...project, deviceCount: count() })),
  totals: Type.Object({ projects: count(), devices: count() }),
  partial
})
export type ProjectList = Static<typeof ProjectList>

/** Fields of a subscription, the same as in the subscription API. */
export const subscription = {
  offeringCode: text('`NDS` (data services), `Remote` or `Recover`.'),
  startDate: time('When the subscription starts.'),
  endDate: time('When the subscription ends.'),
  planLimit: Type.Optional(Type.Number({ description: 'Plan limit in GB. NDS only.' }))
}
const Subscription = named('Subscription', subscription)
export type Subscription = Static<typeof Subscription>

const FIELDS = { id: text(), text: text(), 'text or null': textOrNull(), 'time or null': textOrNull() }
type DeviceProperties = { [K in keyof typeof DEVICE_FIELDS]: (typeof FIELDS)[(typeof DEVICE_FIELDS)[K]] }
/** The fields of a device that come from the management API. */
export const deviceFields = Object.fromEntries(
  Object.entries(DEVICE_FIELDS).map(([name, kind]) => [name, FIELDS[kind]])
) as DeviceProperties

/** The fields of a device without its subscriptions. */
export const foundDevice = {
  ...deviceFields,
  projectId: textOrNull('Null if the device is not in a known project.'),
  createdDate: textOrNull('ISO 8601 UTC; null if unknown.'),
  usagePercent: Type.Optional(
    Type.Number({ description: 'Data usage in percent of the plan limit. Only in lists filtered by `plan`.' })
  )
}
export const Device = named('Device', {
  ...foundDevice,
  subscriptions: Type.Array(Subscription, {
    description: 'Empty if the subscriptions could not be fetched.'
  }),
  partial: Type.Optional(
    Type.Array(oneOf(['subscriptions']), {
      description: 'The parts of the device that could not be fetched; missing if the device is complete.'
    })
  )
})
export type Device = Static<typeof Device>

export const DevicePage = named('DevicePage', { ...pageOf(Device), partial })
export type DevicePage = Static<typeof DevicePage>

export const CustomerTree = named('CustomerTree', {
  customerId: text(),
  assembledAt: time('When the gateway assembled the tree.'),
  partial,
  projects: Type.Array(Type.Object({ ...project, devices: Type.Array(Device) })),
  unassigned: Type.Array(Device, { description: 'Devices without a known project.' })
})
export type CustomerTree = Static<typeof CustomerTree>

const FoundDevice = Type.Object({
  match: oneOf(
    MATCHES,
    'Whether the keyword is the whole, the start or a part of the name, host ID or uuid.'
  ),
  device: Type.Object(foundDevice),
  customer: CustomerName
})
/** A device that a search over customers has found. */
export type FoundDevice = Static<typeof FoundDevice>

export const DeviceSearch = named('DeviceSearch', {
  items: Type.Array(FoundDevice, { description: 'The best matches, the closest first.' }),
  total: count('The number of matches in the customers that were searched.'),
  customers: Type.Object(
    { read: count(), of: count() },
    {
      description: '`of`: number of customers that the caller may view; `read`: number of searched customers.'
    }
  ),
  partial: Type.Array(CustomerName, {
    description: 'Customers that could not be searched.'
  })
})
/** The result of a search over customers. In a stream, each line contains only what is new. */
export type DeviceSearch = Static<typeof DeviceSearch>

/** The searched parts of a point: its name, the values of its tags (such as its path), and the names of its tags. */
export const POINT_SEARCHES = ['pointNames', 'tagValues', 'tagNames'] as const

export const FoundPoints = named('FoundPoints', {
  items: Type.Array(
    Type.Object({
      foundBy: oneOf(POINT_SEARCHES),
      point: PointModel,
      device: Type.Object(foundDevice)
    })
  ),
  totals: Type.Object(
    { pointNames: countOrNull(), tagValues: countOrNull(), tagNames: countOrNull() },
    { description: 'The number of points that each search finds; null for a search that failed.' }
  ),
  partial: Type.Array(oneOf(POINT_SEARCHES), {
    description: 'The searches that failed.'
  })
})
export type FoundPoints = Static<typeof FoundPoints>
