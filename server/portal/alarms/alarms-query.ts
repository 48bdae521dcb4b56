// The query of lists of alarms: of a device, of a customer, and of all customers. Each has the same parameters.
import type { Static, TSchema } from 'typebox'
import { ACTIVE, ALARM_SEARCHES, type AlarmsShown, narrowed, type StateFilter } from '#shared/alarms.ts'
import { oneOf } from '#shared/answers/parts.ts'
import { closed, id, listOf, optional, text, time, whole } from '../../schemas.ts'
import { optionalText, page, pageSize, withDefault } from '../parameters.ts'

const ALARM_PAGE_SIZE = 25

const SORTS = [
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

const sourceStates = (description: string) =>
  withDefault(listOf(oneOf([...ACTIVE, 'normal']), 10, { description }), [])

const SHARED_PARAMETERS = {
  systemGuid: optional(id('Only alarms of this system (device).')),
  projectId: optional(id('Only alarms of the first 1,000 devices of this project.', 'p-3')),
  sourceStates: sourceStates(
    'Only alarms whose source is in this state. Repeat the parameter to allow several.'
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
  startTime: optional(time('Only alarms raised since this time.')),
  page,
  size: pageSize(ALARM_PAGE_SIZE)
}
const SHOWN =
  '`action`: alarms that are not normal or not acknowledged. `active`: alarms that are not normal. `unacked`: alarms that are not acknowledged.'
const show = <T extends AlarmsShown>(shown: readonly T[], description: string) =>
  withDefault(oneOf(shown, description), 'action')
const ORDER = ['asc', 'desc'] as const

export const CustomerAlarmsQuery = closed({
  ...SHARED_PARAMETERS,
  keyword: optionalText('Part of the source or of the message.'),
  show: show(['action', 'active', 'unacked', 'all'], `${SHOWN} \`all\`: all stored alarms.`),
  sort: withDefault(oneOf(SORTS, 'The field to sort by.'), 'timestamp'),
  order: withDefault(
    oneOf(ORDER, 'Ascending or descending. Equal alarms are sorted by time, the newest first.'),
    'desc'
  )
})
export type CustomerAlarmsQuery = Static<typeof CustomerAlarmsQuery>

const deprecated = <T extends TSchema>(schema: T): T => ({ ...schema, deprecated: true })

/** Sorts of lists of all customers. `band` is the default. */
export const ORGANIZATION_ALARM_SORTS = [...SORTS, 'customer', 'band'] as const

export const OrganizationAlarmsQuery = closed({
  ...SHARED_PARAMETERS,
  projectId: optional(
    id('Only alarms of the first 1,000 devices of this project, which belongs to `customerId`.', 'p-3')
  ),
  customerId: optional(id('Only alarms of this customer.', '9')),
  keyword: optionalText(
    'Part of the source, the message, the class or the name of the customer; case is ignored.'
  ),
  show: show(['action', 'active', 'unacked'], SHOWN),
  sort: optional(
    oneOf(
      ORGANIZATION_ALARM_SORTS,
      'The field to sort by. By default `band`: the priorities 1 to 63, then those up to 127, 191 and 255; in each band the newest first.'
    )
  ),
  order: optional(
    oneOf(
      ORDER,
      'Ascending (by default, if `sort` is `band`) or descending (by default, if it is another). Equal alarms are sorted by time, the newest first.'
    )
  ),
  q: deprecated(optionalText('Use `keyword`.')),
  states: deprecated(sourceStates('Use `sourceStates`.'))
})
export type OrganizationAlarmsQuery = Static<typeof OrganizationAlarmsQuery>

/** The searches that find what a list shows. Their results never overlap. */
export function searchesOf({
  show,
  sourceStates
}: Pick<CustomerAlarmsQuery, 'show' | 'sourceStates'>): StateFilter[] {
  return narrowed(ALARM_SEARCHES[show], sourceStates)
}
