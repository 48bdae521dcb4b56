// Schemas of the caller, the bootstrap, problems, usage and counts in answers of the gateway's own endpoints.
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { ATTENTION_KINDS, type AttentionKind } from '../attention.ts'
import { FLAGS, type Flag } from '../entities.ts'
import { ACTIONS, ROLES, type Role } from '../permissions.ts'
import { Alarm } from './alarms.ts'
import { CustomerName, customerCard } from './customers.ts'
import { count, named, oneOf, pageOf, text, textOrNull, time } from './parts.ts'
import { UserType } from './people.ts'

export const Problem = Type.Object(
  {
    type: text('Kind of problem, a stable name: `urn:portal:problem:{id}`.'),
    title: text(),
    status: Type.Integer(),
    detail: text('Explanation for people.'),
    code: Type.Optional(text("The upstream's error code, if there is one.")),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          detail: text('Explanation for people.'),
          field: Type.Optional(text('The field of the body, if the upstream names one.'))
        }),
        { description: 'Why an upstream refused the body (422).' }
      )
    ),
    requestId: text("The id of the call in the gateway's log.")
  },
  { $id: 'Problem', description: 'RFC 9457.' }
)
export type Problem = Static<typeof Problem>

const ROLE_NAMES: readonly Role[] = [...ROLES.map(({ name }) => name), 'custom', 'noaccess']
const RoleAssignment = Type.Object({
  id: text(),
  role: oneOf(ROLE_NAMES),
  scope: Type.String({
    description: 'The scope of the role, which includes all scopes below.',
    examples: ['/organizations/1']
  })
})
export type RoleAssignment = Static<typeof RoleAssignment>

const User = Type.Object({
  id: text(),
  organizationId: textOrNull("Id of the user's organization."),
  organizationName: textOrNull("Name of the user's organization."),
  fullName: text(),
  email: textOrNull('Email address, if the user has one.'),
  userType: UserType,
  roleAssignments: Type.Array(RoleAssignment)
})
export type User = Static<typeof User>

export const Me = named('Me', {
  user: User,
  actions: Type.Array(oneOf(ACTIONS), {
    description: 'The actions that the roles allow in at least one scope.'
  })
})
/** The caller, and the actions that the caller may do in at least one scope. */
export type Me = Static<typeof Me>

export const Support = Type.Object({ phone: textOrNull(), email: textOrNull() })
/** Contacts of the support. */
export type Support = Static<typeof Support>

const link = { label: text(), url: text() }
const Link = Type.Object(link)
export type Link = Static<typeof Link>

const objectOrNull = <P extends TProperties>(properties: P) => {
  const schema = Type.Object(properties)
  return Type.Unsafe<Static<typeof schema> | null>({ ...schema, type: ['object', 'null'] })
}
const flags = Object.fromEntries(FLAGS.map((flag) => [flag, Type.Boolean()])) as Record<
  Flag,
  ReturnType<typeof Type.Boolean>
>

export const Bootstrap = Type.Object({
  user: User,
  actions: Type.Array(oneOf(ACTIONS), {
    description:
      'Allowed in at least one scope. `may(user.roleAssignments, action, scope)` decides for one scope.'
  }),
  customers: Type.Object(
    { count: count(), only: objectOrNull(customerCard) },
    {
      description:
        'Customers that the user may see. `only` is set if there is exactly one: then `/` shows that customer.'
    }
  ),
  flags: Type.Object(flags),
  banner: textOrNull('Text of the service banner; null if it has no text or its flag is off.'),
  support: Support,
  links: Type.Object({
    remote: textOrNull(),
    thirdPartyApp: objectOrNull(link),
    privacy: Type.Array(Link),
    licensing: textOrNull()
  }),
  session: Type.Object({ noticeSeconds: Type.Number() }),
  now: time("Time on the gateway's clock. Subscriptions expire by this clock, not by the browser's.")
})
/** The data that the client needs before its first screen. */
export type Bootstrap = Static<typeof Bootstrap>

export const AlarmPage = named('AlarmPage', pageOf(Alarm))

const AlarmOfCustomer = named('AlarmOfCustomer', {
  ...Alarm.properties,
  customer: CustomerName,
  /** The device with the alarm's system; null if it is not known, or not yet. */
  device: objectOrNull({ deviceUuid: text(), deviceName: text(), projectName: textOrNull() })
})
/** An alarm in a list of several customers. */
export type AlarmOfCustomer = Static<typeof AlarmOfCustomer>

const delayedSince = Type.Optional(
  time('Since when the alarms could not be read as often as they should; absent if they can.')
)
export const OrganizationAlarms = named('OrganizationAlarms', {
  ...pageOf(AlarmOfCustomer),
  counts: Type.Object(
    {
      action: count('Number of alarms that need action.'),
      active: count('Number of them that are not normal.'),
      unacked: count('Number of them that are not acknowledged.'),
      unackedIsMinimum: Type.Boolean({
        description: 'Whether `unacked` may be higher, because more than 100 alarms of a customer are active.'
      })
    },
    { description: 'The sums of `totals`.' }
  ),
  totals: Type.Array(
    Type.Object({
      customer: CustomerName,
      count: count('Number of alarms that need action, of which the newest 100 are in the list.'),
      active: count('Number of them that are not normal.'),
      unacked: count(
        'Number of them that are not acknowledged. At least this number if more than 100 are active.'
      ),
      readAt: time('When they were read.'),
      delayedSince
    }),
    { description: 'The customers whose alarms have been read, sorted by name, also those without alarms.' }
  ),
  partial: Type.Array(CustomerName, {
    description: 'Customers whose alarms have not been read yet, or could not be read the last time.'
  }),
  readAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the oldest of these alarms were read; null before the first.'
  })
})
export type OrganizationAlarms = Static<typeof OrganizationAlarms>

const amount = (description: string) => Type.Number({ minimum: 0, description })
const amountOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const Usage = named('Usage', {
  planLimit: amountOrNull('Plan limit in GB; null if unknown.'),
  startDate: time('The start of the data-services subscription.'),
  endDate: time('The end of the data-services subscription.'),
  used: amount('Usage in the period, in GB.'),
  percent: amountOrNull('Usage in percent of the plan limit; above 100 if the limit is exceeded.'),
  level: oneOf(['ok', 'warning', 'exceeded'], '`warning` from 80 %, `exceeded` above 100 %.'),
  over: amount('Usage beyond the plan limit, in GB.'),
  bar: Type.Object(
    {
      fill: amount('The filled part. The whole bar is 150 % of the plan limit.'),
      baseline: amount('The position of the mark for the plan limit.')
    },
    { description: 'The usage bar, in percent of its width.' }
  ),
  title: textOrNull('Title of the warning; null without a warning.'),
  text: textOrNull('Text of the warning; null without a warning.'),
  period: oneOf(['Monthly', 'Yearly'], '`Yearly` if the subscription is older than 13 months.'),
  graph: Type.Boolean({
    description: 'Whether to draw the points: true if the subscription is older than 2 months.'
  }),
  banner: textOrNull('Why there is no graph; null if there is one.'),
  points: Type.Array(Type.Object({ time: time(), value: amount('Usage in GB.') }), {
    description: 'Sorted by time.'
  })
})
export type Usage = Static<typeof Usage>

const AttentionCount = Type.Object({
  count: count(),
  readAt: time('When the data was fetched; for data from several calls, the oldest time.'),
  unread: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Number of plans whose usage is not fetched yet: the count may grow.'
    })
  )
})
export type AttentionCount = Static<typeof AttentionCount>

const kinds = (description: string) => Type.Array(oneOf(ATTENTION_KINDS), { description })
const countOf = (description: string) =>
  Type.Optional(Type.Union([AttentionCount, Type.Null()], { description }))
const counts = {
  servicesEnded: countOf('Devices with an ended service that has no later subscription.'),
  plansExceeded: countOf('Devices with data usage above the plan limit.'),
  alarms: countOf('Alarms that are not back to normal, or not acknowledged.'),
  servicesEnding: countOf('Devices with a service that ends within 30 days.'),
  plansWarning: countOf('Devices with data usage from 80 % to 100 % of the plan limit.'),
  withoutBackup: countOf('Devices with Recover, but without a good backup in the last 30 days.')
} satisfies Record<AttentionKind, TSchema>
const CustomerAttention = Type.Object({
  ...customerCard,
  counts: Type.Object(counts, {
    description: 'A count is absent if the caller may not see it, and null until it is fetched.'
  }),
  partial: kinds('Counts whose last fetch failed.')
})
export type CustomerAttention = Static<typeof CustomerAttention>

export const AttentionList = named('Attention', {
  items: Type.Array(CustomerAttention, { description: 'Sorted by name.' }),
  partial: kinds('Counts that are incomplete for at least one customer.')
})
export type AttentionList = Static<typeof AttentionList>
