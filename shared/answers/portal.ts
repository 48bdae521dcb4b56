// What the gateway's own endpoints answer, once each: a JSON Schema for openapi.json and the tests, and the type that follows
// from it. Answers are not checked at run time. The client imports only the types.
import Type, { type Static, type TSchema } from 'typebox'
import { ATTENTION_KINDS, type AttentionKind } from '../attention.ts'
import { ACTIONS, ROLES, type Role } from '../permissions.ts'
import { MATCHES } from '../search/text-search.ts'
import { Alarm } from './alarms.ts'
import { count, countOrNull, named, oneOf, PageNumbers, text, textOrNull, time } from './parts.ts'
import { UserType } from './people.ts'
import { PointModel } from './points.ts'

export const ProblemSchema = Type.Object(
  {
    type: text('What went wrong, stable: `urn:portal:problem:{id}`.'),
    title: text(),
    status: Type.Integer(),
    detail: text('For people.'),
    code: Type.Optional(text("The upstream's own code, where it gave one.")),
    requestId: text("Names the call in the gateway's log.")
  },
  { $id: 'Problem', description: 'RFC 9457.' }
)
export type Problem = Static<typeof ProblemSchema>

const ROLE_NAMES: readonly Role[] = [...ROLES.map(({ name }) => name), 'custom', 'noaccess']
const RoleAssignmentSchema = Type.Object({
  id: text(),
  role: oneOf(ROLE_NAMES),
  scope: Type.String({ description: 'It holds there and below.', examples: ['/organizations/1'] })
})
export type RoleAssignment = Static<typeof RoleAssignmentSchema>

const UserSchema = Type.Object({
  id: text(),
  organizationId: textOrNull('Where the user belongs.'),
  organizationName: textOrNull('Its name.'),
  fullName: text(),
  email: textOrNull('For people.'),
  userType: UserType,
  roleAssignments: Type.Array(RoleAssignmentSchema)
})
export type User = Static<typeof UserSchema>

export const MeSchema = named('Me', {
  user: UserSchema,
  actions: Type.Array(oneOf(ACTIONS), { description: 'What the roles allow somewhere.' })
})
/** Who the caller is now, and what they may do somewhere. */
export type Me = Static<typeof MeSchema>

const pageOf = <T extends TSchema>(item: T) => ({ items: Type.Array(item), page: PageNumbers })
export interface Page<T> {
  items: T[]
  page: Static<typeof PageNumbers>
}

const PartialSchema = Type.Array(oneOf(['subscriptions', 'plans']), {
  $id: 'Partial',
  description: 'What could not be fetched; empty when all is there.'
})
/** What an aggregate could not fetch; empty when all is there. */
export type Missing = Static<typeof PartialSchema>[number]

const customerName = { id: text(), orgName: text(), scope: text("The customer's scope path.") }
const CustomerNameSchema = named('CustomerName', customerName)
export type CustomerName = Static<typeof CustomerNameSchema>

const customerCard = { ...customerName, projectCount: count(), deviceCount: count() }
const CustomerCardSchema = named('CustomerCard', customerCard)
/** A card of the customers page. */
export type CustomerCard = Static<typeof CustomerCardSchema>
export const CustomerPageSchema = named('CustomerPage', pageOf(CustomerCardSchema))

const project = { id: text(), projectName: text() }
export type Project = Pick<ProjectList['projects'][number], 'id' | 'projectName'>

export const ProjectListSchema = named('ProjectList', {
  customer: CustomerNameSchema,
  projects: Type.Array(Type.Object({ ...project, deviceCount: count() })),
  totals: Type.Object({ projects: count(), devices: count() }),
  partial: PartialSchema
})
export type ProjectList = Static<typeof ProjectListSchema>

/** Also as the subscription API answers it. */
export const subscription = {
  offeringCode: text('`NDS` (data services), `Remote` or `Recover`.'),
  startDate: time('When it began.'),
  endDate: time('When it ends.'),
  planLimit: Type.Optional(Type.Number({ description: 'Plan limit in GB, of NDS only.' }))
}
const SubscriptionSchema = named('Subscription', subscription)
export type Subscription = Static<typeof SubscriptionSchema>

const device = {
  id: text(),
  deviceUuid: text(),
  deviceName: text(),
  hostId: text(),
  location: text(),
  projectId: textOrNull('Null when the device is in no known project.'),
  projectName: textOrNull('As the device names it.'),
  systemGuid: text(),
  createdDate: textOrNull('ISO 8601 UTC; null when it is not known.'),
  usagePercent: Type.Optional(
    Type.Number({ description: 'Data usage in percent of the plan limit; in lists by `plan` only.' })
  )
}
export const DeviceSchema = named('Device', { ...device, subscriptions: Type.Array(SubscriptionSchema) })
export type Device = Static<typeof DeviceSchema>

export const DevicePageSchema = named('DevicePage', { ...pageOf(DeviceSchema), partial: PartialSchema })
export type DevicePage = Static<typeof DevicePageSchema>

export const CustomerTreeSchema = named('CustomerTree', {
  customerId: text(),
  assembledAt: time('When it was put together.'),
  partial: PartialSchema,
  projects: Type.Array(Type.Object({ ...project, devices: Type.Array(DeviceSchema) })),
  unassigned: Type.Array(DeviceSchema, { description: 'Devices of no known project.' })
})
export type CustomerTree = Static<typeof CustomerTreeSchema>

const FoundDeviceSchema = Type.Object({
  match: oneOf(MATCHES, 'How much of name, host ID or uuid the keyword is.'),
  device: Type.Object(device),
  customer: CustomerNameSchema
})
/** A device that a search over customers has found. */
export type FoundDevice = Static<typeof FoundDeviceSchema>

export const DeviceSearchSchema = named('DeviceSearch', {
  items: Type.Array(FoundDeviceSchema, { description: 'The best of all that match, the closest first.' }),
  total: count('How many match in the customers read.'),
  customers: Type.Object(
    { read: count(), of: count() },
    { description: 'How many the caller may view, and how many of them were searched.' }
  ),
  partial: Type.Array(CustomerNameSchema, {
    description: 'Customers that could not be read; empty when all were.'
  })
})
/** What a search over customers has found. In a stream, each line has what the lines before did not. */
export type DeviceSearch = Static<typeof DeviceSearchSchema>

/** Where a point is searched: its name, the values of its tags (its path is one), their names. */
export const POINT_SEARCHES = ['pointNames', 'tagValues', 'tagNames'] as const

export const FoundPointsSchema = named('FoundPoints', {
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
export type FoundPoints = Static<typeof FoundPointsSchema>

export const AlarmPageSchema = named('AlarmPage', pageOf(Alarm))

const amount = (description: string) => Type.Number({ minimum: 0, description })
const amountOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const UsageSchema = named('Usage', {
  planLimit: amountOrNull('Plan limit in GB; null when it is not known.'),
  startDate: time('When the data-services subscription began.'),
  endDate: time('When it ends.'),
  used: amount('Used in the period, in GB.'),
  percent: amountOrNull('Used of the plan limit, in percent; more than 100 beyond it.'),
  level: oneOf(['ok', 'warning', 'exceeded'], '`warning` from 80 % on, `exceeded` above 100 %.'),
  over: amount('Used beyond the plan limit, in GB.'),
  bar: Type.Object(
    {
      fill: amount('How far it is filled; it is scaled to 150 % of the plan limit.'),
      baseline: amount('Where the plan limit is marked.')
    },
    { description: 'The usage bar, in percent of its width.' }
  ),
  title: textOrNull('Title of the warning; null without one.'),
  text: textOrNull('Text of the warning; null without one.'),
  period: oneOf(['Monthly', 'Yearly'], '`Yearly` when the subscription is older than 13 months.'),
  graph: Type.Boolean({
    description: 'Whether the points are to be drawn: the subscription is older than 2 months.'
  }),
  banner: textOrNull('Why there is no graph; null when there is one.'),
  points: Type.Array(Type.Object({ time: time('When.'), value: amount('GB.') }), { description: 'By time.' })
})
export type Usage = Static<typeof UsageSchema>

const AttentionCountSchema = Type.Object({
  count: count(),
  readAt: time('When it was read; of several readings the oldest.'),
  unread: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Plans that are yet to be read: the count may grow.' })
  )
})
export type AttentionCount = Static<typeof AttentionCountSchema>

const kinds = (description: string) => Type.Array(oneOf(ATTENTION_KINDS), { description })
const counted = (description: string) =>
  Type.Optional(Type.Union([AttentionCountSchema, Type.Null()], { description }))
const counts = {
  servicesEnded: counted('Devices of which a service has ended and has no later subscription.'),
  plansExceeded: counted('Devices with data usage above the plan limit.'),
  alarms: counted('Alarms that are not back to normal, or not acknowledged.'),
  servicesEnding: counted('Devices with a service that ends within 30 days.'),
  plansWarning: counted('Devices with data usage from 80 % of the plan limit on.'),
  withoutBackup: counted('Devices with Recover without a good backup in 30 days.')
} satisfies Record<AttentionKind, TSchema>
const CustomerAttentionSchema = Type.Object({
  ...customerCard,
  counts: Type.Object(counts, {
    description: 'One that the caller may not see is absent, one that has not been read yet is null.'
  }),
  partial: kinds('Counts that could not be read when it was last tried.')
})
export type CustomerAttention = Static<typeof CustomerAttentionSchema>

export const AttentionSchema = named('Attention', {
  items: Type.Array(CustomerAttentionSchema, { description: 'By name.' }),
  partial: kinds('Counts that are not complete for every customer; empty when all are there.')
})
export type AttentionList = Static<typeof AttentionSchema>
