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
import { CUSTOMER_PAGE_SIZE, DEVICE_PAGE_SIZE, PAGE_SIZE_MAX } from '#shared/limits.ts'
import { closed, id, listOf, time as moment, optional, pageNumber, text, whole } from '../schemas.ts'

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
    `Part of ${DEVICE_SEARCHED.map((field) => `\`${field}\``).join(', ')}; white space and case do not count. Nothing matches a search with one of \`* < > " ' % ( ) & + / ^ | ? [ ] \\\`.`
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
        'Only devices with an active subscription, of `service` if that is given too, that ends within this number of days, rounded up; `0`: only devices of which a service has ended and has no later subscription.'
    })
  ),
  plan: optional(
    oneOf(
      PLAN_LEVELS,
      'Only devices at this level of data usage, as far as it has been read: `partial` names `plans` when more may follow.'
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
      description: 'Only those whose source is in this state; repeatable. Without it, all.'
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
