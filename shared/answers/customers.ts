// Customers with their projects and devices, as the gateway's own endpoints answer them.
import Type, { type Static } from 'typebox'
import { DEVICE_FIELDS } from '../devices.ts'
import { MATCHES } from '../search/text-search.ts'
import { count, countOrNull, named, oneOf, pageOf, text, textOrNull, time } from './parts.ts'
import { PointModel } from './points.ts'

const Missing = oneOf(['subscriptions', 'plans'])
/** What an aggregate could not fetch. */
export type Missing = Static<typeof Missing>
const partial = Type.Array(Missing, {
  $id: 'Partial',
  description: 'What could not be fetched; empty when all is there.'
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

/** Also as the subscription API answers it. */
export const subscription = {
  offeringCode: text('`NDS` (data services), `Remote` or `Recover`.'),
  startDate: time('When it began.'),
  endDate: time('When it ends.'),
  planLimit: Type.Optional(Type.Number({ description: 'Plan limit in GB, of NDS only.' }))
}
const Subscription = named('Subscription', subscription)
export type Subscription = Static<typeof Subscription>

const FIELDS = { id: text(), text: text(), 'text or null': textOrNull() }
type DeviceFields = { [K in keyof typeof DEVICE_FIELDS]: (typeof FIELDS)[(typeof DEVICE_FIELDS)[K]] }
/** The fields that the management API gives a device. */
export const deviceFields = Object.fromEntries(
  Object.entries(DEVICE_FIELDS).map(([name, kind]) => [name, FIELDS[kind]])
) as DeviceFields

const device = {
  ...deviceFields,
  projectId: textOrNull('Null when the device is in no known project.'),
  createdDate: textOrNull('ISO 8601 UTC; null when it is not known.'),
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
  assembledAt: time('When it was put together.'),
  partial,
  projects: Type.Array(Type.Object({ ...project, devices: Type.Array(Device) })),
  unassigned: Type.Array(Device, { description: 'Devices of no known project.' })
})
export type CustomerTree = Static<typeof CustomerTree>

const FoundDevice = Type.Object({
  match: oneOf(MATCHES, 'How much of name, host ID or uuid the keyword is.'),
  device: Type.Object(device),
  customer: CustomerName
})
/** A device that a search over customers has found. */
export type FoundDevice = Static<typeof FoundDevice>

export const DeviceSearch = named('DeviceSearch', {
  items: Type.Array(FoundDevice, { description: 'The best of all that match, the closest first.' }),
  total: count('How many match in the customers read.'),
  customers: Type.Object(
    { read: count(), of: count() },
    { description: 'How many the caller may view, and how many of them were searched.' }
  ),
  partial: Type.Array(CustomerName, {
    description: 'Customers that could not be read; empty when all were.'
  })
})
/** What a search over customers has found. In a stream, each line has what the lines before did not. */
export type DeviceSearch = Static<typeof DeviceSearch>

/** Where a point is searched: its name, the values of its tags (its path is one), their names. */
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
    { description: 'How many each search finds; null when it failed.' }
  ),
  partial: Type.Array(oneOf(POINT_SEARCHES), {
    description: 'The searches that failed; empty when all is there.'
  })
})
export type FoundPoints = Static<typeof FoundPoints>
