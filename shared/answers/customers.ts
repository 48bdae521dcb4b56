// Customers with their projects and devices, as the gateway's own endpoints answer them.
import Type, { type Static } from 'typebox'
import { DEVICE_FIELDS } from '../devices.ts'
import { MATCHES } from '../search/text-search.ts'
import { count, countOrNull, named, oneOf, pageOf, text, textOrNull, time } from './parts.ts'
import { PointModel } from './points.ts'

const Missing = oneOf(['subscriptions', 'plans'])
/** A part that an aggregate could not fetch. */
export type Missing = Static<typeof Missing>
const partial = Type.Array(Missing, {
  $id: 'Partial',
  description: 'The parts that could not be fetched; empty if the answer is complete.'
})

const customerName = { id: text(), orgName: text(), scope: text("The customer's scope path.") }
const CustomerName = named('CustomerName', customerName)
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

/** The subscription API answers the same fields. */
export const subscription = {
  offeringCode: text('`NDS` (data services), `Remote` or `Recover`.'),
  startDate: time('The start.'),
  endDate: time('The end.'),
  planLimit: Type.Optional(Type.Number({ description: 'Plan limit in GB, of NDS only.' }))
}
const Subscription = named('Subscription', subscription)
export type Subscription = Static<typeof Subscription>

const FIELDS = { id: text(), text: text(), 'text or null': textOrNull() }
type DeviceProperties = { [K in keyof typeof DEVICE_FIELDS]: (typeof FIELDS)[(typeof DEVICE_FIELDS)[K]] }
/** The fields that the management API gives a device. */
export const deviceFields = Object.fromEntries(
  Object.entries(DEVICE_FIELDS).map(([name, kind]) => [name, FIELDS[kind]])
) as DeviceProperties

const device = {
  ...deviceFields,
  projectId: textOrNull('Null if the device is in no known project.'),
  createdDate: textOrNull('ISO 8601 UTC; null if unknown.'),
  usagePercent: Type.Optional(
    Type.Number({ description: 'Data usage in percent of the plan limit; in lists by `plan` only.' })
  )
}
export const Device = named('Device', { ...device, subscriptions: Type.Array(Subscription) })
export type Device = Static<typeof Device>

export const DevicePage = named('DevicePage', { ...pageOf(Device), partial })
export type DevicePage = Static<typeof DevicePage>

export const CustomerTree = named('CustomerTree', {
  customerId: text(),
  assembledAt: time('The time of assembly.'),
  partial,
  projects: Type.Array(Type.Object({ ...project, devices: Type.Array(Device) })),
  unassigned: Type.Array(Device, { description: 'Devices of no known project.' })
})
export type CustomerTree = Static<typeof CustomerTree>

const FoundDevice = Type.Object({
  match: oneOf(MATCHES, 'Whether the keyword is the whole, the start or a part of name, host ID or uuid.'),
  device: Type.Object(device),
  customer: CustomerName
})
/** A device that a search over customers has found. */
export type FoundDevice = Static<typeof FoundDevice>

export const DeviceSearch = named('DeviceSearch', {
  items: Type.Array(FoundDevice, { description: 'The best matches, the closest first.' }),
  total: count('The number of matches in the customers that were read.'),
  customers: Type.Object(
    { read: count(), of: count() },
    { description: '`of`: the customers that the caller may view; `read`: those that were searched.' }
  ),
  partial: Type.Array(CustomerName, {
    description: 'Customers that could not be read.'
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
      device: Type.Object(device)
    })
  ),
  totals: Type.Object(
    { pointNames: countOrNull(), tagValues: countOrNull(), tagNames: countOrNull() },
    { description: 'The number of points that each search finds; null if it failed.' }
  ),
  partial: Type.Array(oneOf(POINT_SEARCHES), {
    description: 'The searches that failed.'
  })
})
export type FoundPoints = Static<typeof FoundPoints>
