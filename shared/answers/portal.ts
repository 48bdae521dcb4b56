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
    type: text('The kind of problem, never renamed: `urn:portal:problem:{id}`.'),
    title: text(),
    status: Type.Integer(),
    detail: text('For people.'),
    code: Type.Optional(text("The upstream's own code, if it gave one.")),
    requestId: text("The id of the call in the gateway's log.")
  },
  { $id: 'Problem', description: 'RFC 9457.' }
)
export type Problem = Static<typeof Problem>

const ROLE_NAMES: readonly Role[] = [...ROLES.map(({ name }) => name), 'custom', 'noaccess']
const RoleAssignment = Type.Object({
  id: text(),
  role: oneOf(ROLE_NAMES),
  scope: Type.String({ description: 'The role holds there and below.', examples: ['/organizations/1'] })
})
export type RoleAssignment = Static<typeof RoleAssignment>

const User = Type.Object({
  id: text(),
  organizationId: textOrNull('The organization of the user.'),
  organizationName: textOrNull('Its name.'),
  fullName: text(),
  email: textOrNull('For people.'),
  userType: UserType,
  roleAssignments: Type.Array(RoleAssignment)
})
export type User = Static<typeof User>

export const Me = named('Me', {
  user: User,
  actions: Type.Array(oneOf(ACTIONS), { description: 'The actions that the roles allow at some scope.' })
})
/** The caller, and the actions allowed to them at some scope. */
export type Me = Static<typeof Me>

export const AlarmPage = named('AlarmPage', pageOf(Alarm))

const amount = (description: string) => Type.Number({ minimum: 0, description })
const amountOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const Usage = named('Usage', {
  planLimit: amountOrNull('Plan limit in GB; null if unknown.'),
  startDate: time('The start of the data-services subscription.'),
  endDate: time('When it ends.'),
  used: amount('Usage in the period, in GB.'),
  percent: amountOrNull('Usage in percent of the plan limit, over 100 beyond it.'),
  level: oneOf(['ok', 'warning', 'exceeded'], '`warning` from 80 % on, `exceeded` above 100 %.'),
  over: amount('Usage beyond the plan limit, in GB.'),
  bar: Type.Object(
    {
      fill: amount('The filled part; the whole bar is 150 % of the plan limit.'),
      baseline: amount('The mark of the plan limit.')
    },
    { description: 'The usage bar, in percent of its width.' }
  ),
  title: textOrNull('Title of the warning; null without a warning.'),
  text: textOrNull('Text of the warning; null without a warning.'),
  period: oneOf(['Monthly', 'Yearly'], '`Yearly` if the subscription is older than 13 months.'),
  graph: Type.Boolean({
    description: 'Whether to draw the points: true if the subscription is older than 2 months.'
  }),
  banner: textOrNull('The reason for a missing graph; null if there is a graph.'),
  points: Type.Array(Type.Object({ time: time('When.'), value: amount('GB.') }), { description: 'By time.' })
})
export type Usage = Static<typeof Usage>

const AttentionCount = Type.Object({
  count: count(),
  readAt: time('The time of the reading; the oldest of several.'),
  unread: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Plans that are not read yet: the count may grow.' })
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
    description: 'A count is absent if the caller may not see it, and null until it is read.'
  }),
  partial: kinds('Counts whose last reading failed.')
})
export type CustomerAttention = Static<typeof CustomerAttention>

export const AttentionList = named('Attention', {
  items: Type.Array(CustomerAttention, { description: 'By name.' }),
  partial: kinds('Counts that are incomplete for some customer.')
})
export type AttentionList = Static<typeof AttentionList>
