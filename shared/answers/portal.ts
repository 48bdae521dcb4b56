// The caller, problems, usage and counts, as the gateway's own endpoints answer them.
import Type, { type Static, type TSchema } from 'typebox'
import { ATTENTION_KINDS, type AttentionKind } from '../attention.ts'
import { ACTIONS, ROLES, type Role } from '../permissions.ts'
import { Alarm } from './alarms.ts'
import { customerCard } from './customers.ts'
import { count, named, oneOf, pageOf, text, textOrNull, time } from './parts.ts'
import { UserType } from './people.ts'

export const Problem = Type.Object(
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
export type Problem = Static<typeof Problem>

const ROLE_NAMES: readonly Role[] = [...ROLES.map(({ name }) => name), 'custom', 'noaccess']
const RoleAssignment = Type.Object({
  id: text(),
  role: oneOf(ROLE_NAMES),
  scope: Type.String({ description: 'It holds there and below.', examples: ['/organizations/1'] })
})
export type RoleAssignment = Static<typeof RoleAssignment>

const User = Type.Object({
  id: text(),
  organizationId: textOrNull('Where the user belongs.'),
  organizationName: textOrNull('Its name.'),
  fullName: text(),
  email: textOrNull('For people.'),
  userType: UserType,
  roleAssignments: Type.Array(RoleAssignment)
})
export type User = Static<typeof User>

export const Me = named('Me', {
  user: User,
  actions: Type.Array(oneOf(ACTIONS), { description: 'What the roles allow somewhere.' })
})
/** Who the caller is now, and what they may do somewhere. */
export type Me = Static<typeof Me>

export const AlarmPage = named('AlarmPage', pageOf(Alarm))

const amount = (description: string) => Type.Number({ minimum: 0, description })
const amountOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const Usage = named('Usage', {
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
export type Usage = Static<typeof Usage>

const AttentionCount = Type.Object({
  count: count(),
  readAt: time('When it was read; of several readings the oldest.'),
  unread: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Plans that are yet to be read: the count may grow.' })
  )
})
export type AttentionCount = Static<typeof AttentionCount>

const kinds = (description: string) => Type.Array(oneOf(ATTENTION_KINDS), { description })
const counted = (description: string) =>
  Type.Optional(Type.Union([AttentionCount, Type.Null()], { description }))
const counts = {
  servicesEnded: counted('Devices of which a service has ended and has no later subscription.'),
  plansExceeded: counted('Devices with data usage above the plan limit.'),
  alarms: counted('Alarms that are not back to normal, or not acknowledged.'),
  servicesEnding: counted('Devices with a service that ends within 30 days.'),
  plansWarning: counted('Devices with data usage from 80 % of the plan limit on.'),
  withoutBackup: counted('Devices with Recover without a good backup in 30 days.')
} satisfies Record<AttentionKind, TSchema>
const CustomerAttention = Type.Object({
  ...customerCard,
  counts: Type.Object(counts, {
    description: 'One that the caller may not see is absent, one that has not been read yet is null.'
  }),
  partial: kinds('Counts that could not be read when it was last tried.')
})
export type CustomerAttention = Static<typeof CustomerAttention>

export const AttentionList = named('Attention', {
  items: Type.Array(CustomerAttention, { description: 'By name.' }),
  partial: kinds('Counts that are not complete for every customer; empty when all are there.')
})
export type AttentionList = Static<typeof AttentionList>
