// Parameters of the aggregated endpoints.
import Type, { type TSchema } from 'typebox'
import { ACTIVE } from '#shared/alarms.ts'
import { oneOf } from '#shared/answers/parts.ts'
import { PLAN_LEVELS } from '#shared/attention.ts'
import {
  DEVICE_EXPIRIES,
  DEVICE_SEARCHED,
  DEVICE_SERVICES,
  DEVICE_SORTS,
  USAGE_SORT
} from '#shared/devices.ts'
import {
  CUSTOMER_PAGE_SIZE,
  DEVICE_PAGE_SIZE,
  PAGE_SIZE_MAX,
  SEARCH_SIZE,
  SEARCH_SIZE_MAX
} from '#shared/limits.ts'
import { closed, id, listOf, time as moment, optional, pageNumber, text, whole } from '../schemas.ts'

const customerId = id('Id of the customer.', '9')
const deviceUuid = id('Uuid of the device.', '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80')
const withDefault = <T extends TSchema>(schema: T, value: unknown): T => ({ ...schema, default: value })
const page = withDefault(pageNumber, 0)
const pageSize = (size: number) =>
  withDefault(whole(1, PAGE_SIZE_MAX, 'Maximum number of items on a page.'), size)
const orderWithDefault = (value: 'asc' | 'desc') =>
  withDefault(oneOf(['asc', 'desc'], 'Ascending or descending.'), value)
const KEYWORD_MAX_CHARACTERS = 200
const optionalText = (description: string) => withDefault(text(KEYWORD_MAX_CHARACTERS, description), '')
const requiredText = (description: string) => text(KEYWORD_MAX_CHARACTERS, description, { minLength: 1 })
const resultCount = withDefault(whole(1, SEARCH_SIZE_MAX, 'Maximum number of results.'), SEARCH_SIZE)

export const OrganizationParams = closed({
  organizationId: id('Id of the integrator, or of the customer that the caller belongs to.', '1')
})
export const CustomerParams = closed({ customerId })
export const DeviceParams = closed({ customerId, deviceUuid })

export const CustomersQuery = closed({
  keyword: optionalText('Part of the name; case is ignored.'),
  page,
  size: pageSize(CUSTOMER_PAGE_SIZE)
})

export const DevicesQuery = closed({
  projectId: optional(id('Only the devices of this project.', '3')),
  q: optionalText(
    `Part of ${DEVICE_SEARCHED.map((field) => `\`${field}\``).join(', ')}; white space and case are ignored. Nothing matches a text with one of \`* < > " ' % ( ) & + / ^ | ? [ ] \\\`.`
  ),
  match: optional(
    oneOf(
      ['words'],
      '`words`: also devices that have each word of `q` in their name or project, and at least one in their name.'
    )
  ),
  service: optional(oneOf(DEVICE_SERVICES, 'Only devices with an active subscription of this service.')),
  expires: Type.Optional(
    Type.Enum([...DEVICE_EXPIRIES], {
      type: 'integer',
      description:
        'Only devices with an active subscription that ends within this number of days, rounded up. With `service`, only subscriptions of that service count. `0`: only devices with an ended service that has no later subscription.'
    })
  ),
  plan: optional(
    oneOf(
      PLAN_LEVELS,
      'Only devices at this level of data usage. While usage is still being fetched, devices may be missing and `partial` contains `plans`.'
    )
  ),
  sort: withDefault(
    oneOf([...DEVICE_SORTS, USAGE_SORT], 'The field to sort by. `usagePercent` requires `plan`.'),
    'deviceName'
  ),
  order: orderWithDefault('asc'),
  page,
  size: pageSize(DEVICE_PAGE_SIZE)
})

export const SearchQuery = closed({
  q: requiredText(
    "Part of the name, host ID or uuid; white space and case are ignored. If there are several words, some may be in the project or the name of the customer, but at least one must be in the device's own fields. Nothing matches a blank text, or a text with one of `* < > \" ' % ( ) & + / ^ | ? [ ] \\`."
  ),
  size: resultCount
})

export const PointsQuery = closed({
  q: requiredText(
    'Part of the name, of a tag or of the slot path; case is ignored. The text may begin with the name, host ID or uuid of a device, or with the first characters of one: then the rest is searched in that device.'
  ),
  size: resultCount
})

const MAX_AGE_MIN_SECONDS = 60
const MAX_AGE_MAX_SECONDS = 86_400

export const AttentionQuery = closed({
  maxAge: optional(
    whole(
      MAX_AGE_MIN_SECONDS,
      MAX_AGE_MAX_SECONDS,
      'Counts older than this number of seconds are fetched again in the background. By default, alarms are fetched again after 10 minutes, services and backups after 30, plans after 60.'
    )
  )
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
  systemGuid: optional(id('Only alarms of this system (device).')),
  projectId: optional(id('Only alarms of the first 1,000 devices of this project.', 'p-3')),
  sourceStates: withDefault(
    listOf(oneOf([...ACTIVE, 'normal']), 10, {
      description: 'Only alarms whose source is in this state. Repeat the parameter to allow several.'
    }),
    []
  ),
  alarmClasses: withDefault(
    listOf(text(200), 50, {
      description: 'Only alarms of this class. Repeat the parameter to allow several.'
    }),
    []
  ),
  priorityFrom: optional(
    whole(1, 255, 'Only alarms of this priority, or of less urgent ones. 1 is the most urgent.')
  ),
  priorityTo: optional(whole(1, 255, 'Only alarms of this priority, or of more urgent ones.')),
  startTime: optional(moment('Only alarms raised since this time.')),
  keyword: optionalText('Part of the source or of the message.'),
  sort: withDefault(oneOf(ALARM_SORTS, 'The field to sort by.'), 'timestamp'),
  order: orderWithDefault('desc'),
  page,
  size: pageSize(ALARM_PAGE_SIZE)
})
