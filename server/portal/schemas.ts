// The aggregated endpoints as JSON Schema: requests are checked with these schemas, answers are only described in
// openapi.json.
import Type, { type TSchema } from 'typebox'
import { ACTIVE } from '#shared/alarms.ts'
import { PLAN_LEVELS } from '#shared/attention.ts'
import { DEVICE_EXPIRIES, DEVICE_SERVICES, DEVICE_SORTS, USAGE_SORT } from '#shared/devices.ts'
import { USER_TYPES } from '#shared/entities.ts'
import { CUSTOMER_PAGE_SIZE, DEVICE_PAGE_SIZE, PAGE_SIZE_MAX } from '#shared/limits.ts'
import { closed, id, listOf, time as moment, oneOf, optional, pageNumber, text, whole } from '../schemas.ts'
import { AlarmSchema } from '../upstreams/alarm-record.ts'

const nullable = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const count = Type.Integer({ minimum: 0 })

const customerId = id('Id of the customer.', '9')
const deviceUuid = id('Uuid of the device.', '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80')
const withDefault = <T extends TSchema>(schema: T, value: unknown): T => ({ ...schema, default: value })
const page = withDefault(pageNumber, 0)
const pageSize = (size: number) => withDefault(whole(1, PAGE_SIZE_MAX, 'Items of a page.'), size)
const order = (first: 'asc' | 'desc') =>
  withDefault(oneOf(['asc', 'desc'], 'Ascending or descending.'), first)
const searched = (description: string) => withDefault(text(200, description), '')

export const OrganizationParams = closed({
  organizationId: id('Id of the integrator, or of the customer that the caller belongs to.', '1')
})
export const CustomerParams = closed({ customerId })
export const DeviceParams = closed({ customerId, deviceUuid })

export const CustomersQuery = closed({
  keyword: searched('Part of the name, in any case.'),
  page,
  size: pageSize(CUSTOMER_PAGE_SIZE)
})

export const DevicesQuery = closed({
  projectId: optional(id('Only the devices of this project.', '3')),
  q: searched(
    'Part of the host ID, name, project or location; white space and case do not count. Nothing matches a search with one of `* < > " \' % ( ) & + / ^ | ? [ ] \\`.'
  ),
  match: optional(
    oneOf(
      ['words'],
      '`words`: also devices that have each word of `q` in their name or project, and one at least in their name.'
    )
  ),
  service: optional(oneOf(DEVICE_SERVICES, 'Only devices with an active subscription of this service.')),
  expires: Type.Optional(
    Type.Enum([...DEVICE_EXPIRIES], {
      type: 'integer',
      description:
        'Only devices with an active subscription, of `service` if that is given too, that ends within so many days, a day begun counting as one; `0`: only devices of which a service has ended and has no later subscription.'
    })
  ),
  plan: optional(
    oneOf(
      PLAN_LEVELS,
      'Only devices whose data usage stands so, as far as it has been read: `partial` names `plans` when more may follow.'
    )
  ),
  sort: withDefault(
    oneOf([...DEVICE_SORTS, USAGE_SORT], 'What the devices are sorted by; `usagePercent` with `plan` only.'),
    'deviceName'
  ),
  order: order('asc'),
  page,
  size: pageSize(DEVICE_PAGE_SIZE)
})

const ALARM_SORTS = [
  'timestamp',
  'sourceName',
  'sourceState',
  'ackState',
  'priority',
  'alarmClass',
  'normalTime',
  'user',
  'ackTime'
] as const
const ALARM_PAGE_SIZE = 25

export const NeedsActionQuery = closed({
  systemGuid: optional(id('Only those of this system (device).')),
  projectId: optional(id('Only those of the devices of this project, of its first 1,000.', 'p-3')),
  sourceStates: withDefault(
    listOf(oneOf([...ACTIVE, 'normal']), 10, {
      description: 'Only those whose source stands so; repeated for several, and all without it.'
    }),
    []
  ),
  alarmClasses: withDefault(
    listOf(text(200), 50, { description: 'Only those of these classes; repeated for several.' }),
    []
  ),
  priorityFrom: optional(
    whole(1, 255, 'Only those of this priority or less urgent ones: 1 is the most urgent.')
  ),
  priorityTo: optional(whole(1, 255, 'Only those of this priority or more urgent ones.')),
  startTime: optional(moment('Only those since then.')),
  keyword: searched('Part of the source or the message.'),
  sort: withDefault(oneOf(ALARM_SORTS, 'What the alarms are sorted by.'), 'timestamp'),
  order: order('desc'),
  page,
  size: pageSize(ALARM_PAGE_SIZE)
})

export const MeSchema = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      organizationId: nullable('Where the user belongs.'),
      organizationName: nullable('Its name.'),
      fullName: Type.String(),
      email: nullable('For people.'),
      userType: Type.Enum([...USER_TYPES], { type: 'string' }),
      roleAssignments: Type.Array(
        Type.Object({
          id: Type.String(),
          role: Type.String(),
          scope: Type.String({ description: 'It holds there and below.', examples: ['/organizations/1'] })
        })
      )
    }),
    actions: Type.Array(Type.String(), { description: 'What the roles allow somewhere.' })
  },
  { $id: 'Me' }
)

const PageSchema = Type.Object(
  {
    number: Type.Integer({ minimum: 0, description: 'From 0.' }),
    size: count,
    totalPages: count,
    totalElements: count
  },
  { $id: 'Page' }
)
const pageOf = <T extends TSchema>(item: T) => ({ items: Type.Array(item), page: PageSchema })

const PartialSchema = Type.Array(Type.Enum(['subscriptions', 'plans'], { type: 'string' }), {
  $id: 'Partial',
  description: 'What could not be fetched; empty when all is there.'
})

export const CustomerCardSchema = Type.Object(
  {
    id: Type.String(),
    orgName: Type.String(),
    projectCount: count,
    deviceCount: count,
    scope: Type.String({ description: "The customer's scope path." })
  },
  { $id: 'CustomerCard' }
)
export const CustomerPageSchema = Type.Object(pageOf(CustomerCardSchema), { $id: 'CustomerPage' })

const project = { id: Type.String(), projectName: Type.String() }

export const ProjectListSchema = Type.Object(
  {
    customer: Type.Object({ id: Type.String(), orgName: Type.String(), scope: Type.String() }),
    projects: Type.Array(Type.Object({ ...project, deviceCount: count })),
    totals: Type.Object({ projects: count, devices: count }),
    partial: PartialSchema
  },
  { $id: 'ProjectList' }
)

const SubscriptionSchema = Type.Object(
  {
    offeringCode: Type.String({ description: '`NDS` (data services), `Remote` or `Recover`.' }),
    startDate: time('When it began.'),
    endDate: time('When it ends.'),
    planLimit: Type.Optional(Type.Number({ description: 'Plan limit in GB, of NDS only.' }))
  },
  { $id: 'Subscription' }
)

export const DeviceSchema = Type.Object(
  {
    id: Type.String(),
    deviceUuid: Type.String(),
    deviceName: Type.String(),
    hostId: Type.String(),
    location: Type.String(),
    projectId: nullable('Null when the device is in no known project.'),
    projectName: nullable('As the device names it.'),
    systemGuid: Type.String(),
    createdDate: nullable('ISO 8601 UTC; null when it is not known.'),
    subscriptions: Type.Array(SubscriptionSchema),
    usagePercent: Type.Optional(
      Type.Number({ description: 'Data usage in percent of the plan limit; in lists by `plan` only.' })
    )
  },
  { $id: 'Device' }
)

export const AlarmPageSchema = Type.Object(pageOf(AlarmSchema), { $id: 'AlarmPage' })

export const DevicePageSchema = Type.Object(
  { ...pageOf(DeviceSchema), partial: PartialSchema },
  { $id: 'DevicePage' }
)

export const CustomerTreeSchema = Type.Object(
  {
    customerId: Type.String(),
    assembledAt: time('When it was put together.'),
    partial: PartialSchema,
    projects: Type.Array(Type.Object({ ...project, devices: Type.Array(DeviceSchema) })),
    unassigned: Type.Array(DeviceSchema, { description: 'Devices of no known project.' })
  },
  { $id: 'CustomerTree' }
)

const amount = (description: string) => Type.Number({ minimum: 0, description })
const amountOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const UsageSchema = Type.Object(
  {
    planLimit: amountOrNull('Plan limit in GB; null when it is not known.'),
    startDate: time('When the data-services subscription began.'),
    endDate: time('When it ends.'),
    used: amount('Used in the period, in GB.'),
    percent: amountOrNull('Used of the plan limit, in percent; more than 100 beyond it.'),
    level: Type.Enum(['ok', 'warning', 'exceeded'], {
      type: 'string',
      description: '`warning` from 80 % on, `exceeded` above 100 %.'
    }),
    over: amount('Used beyond the plan limit, in GB.'),
    bar: Type.Object(
      {
        fill: amount('How far it is filled; it is scaled to 150 % of the plan limit.'),
        baseline: amount('Where the plan limit is marked.')
      },
      { description: 'The usage bar, in percent of its width.' }
    ),
    title: nullable('Of the warning; null when there is none.'),
    text: nullable('Of the warning; null when there is none.'),
    period: Type.Enum(['Monthly', 'Yearly'], {
      type: 'string',
      description: '`Yearly` when the subscription is older than 13 months.'
    }),
    graph: Type.Boolean({
      description: 'Whether the points are to be drawn: the subscription is older than 2 months.'
    }),
    banner: nullable('Why there is no graph; null when there is one.'),
    points: Type.Array(Type.Object({ time: time('When.'), value: amount('GB.') }), {
      description: 'By time.'
    })
  },
  { $id: 'Usage' }
)
