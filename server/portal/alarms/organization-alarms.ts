// Lists the alarms that need action of all customers of an organization, from what has been read (readings/).
import type { Static } from 'typebox'
import { ACTIVE, comparing, OPEN_ACKS } from '#shared/alarms.ts'
import type { CustomerCard, CustomerName } from '#shared/answers/customers.ts'
import { oneOf } from '#shared/answers/parts.ts'
import { OrganizationAlarms } from '#shared/answers/portal.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import { pageOf } from '../../paging.ts'
import { closed, id, listOf, optional, whole } from '../../schemas.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { type Raw, text } from '../../upstreams/fields.ts'
import type { CustomerLists } from '../customer-lists.ts'
import {
  OrganizationParams,
  optionalText,
  orderWithDefault,
  page,
  pageSize,
  withDefault
} from '../parameters.ts'
import type { AlarmState, Reader } from '../readings/reader.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn } from '../request.ts'
import { type AlarmWithCustomer as Alarm, withDevices } from './alarm-devices.ts'
import { ALARM_SORTS } from './customer-alarms.ts'
import type { LiveLists } from './live-lists.ts'

const PAGE_SIZE = 25

const ALARMS_SHOWN = ['action', 'active', 'unacked'] as const

const AlarmsQuery = closed({
  q: optionalText('Part of the source, the message, the class or the name of the customer; case is ignored.'),
  states: withDefault(
    listOf(oneOf([...ACTIVE, 'normal']), 10, {
      description: 'Only alarms whose source is in this state. Repeat the parameter to allow several.'
    }),
    []
  ),
  show: withDefault(
    oneOf(
      ALARMS_SHOWN,
      '`active`: only alarms that are not normal. `unacked`: only alarms that are not acknowledged.'
    ),
    'action'
  ),
  priorityFrom: optional(
    whole(1, 255, 'Only alarms of this priority, or of less urgent ones. 1 is the most urgent.')
  ),
  priorityTo: optional(whole(1, 255, 'Only alarms of this priority, or of more urgent ones.')),
  customerId: optional(id('Only alarms of this customer.', '9')),
  sort: withDefault(oneOf([...ALARM_SORTS, 'customer'], 'The field to sort by.'), 'timestamp'),
  order: orderWithDefault('desc'),
  page,
  size: pageSize(PAGE_SIZE)
})
type Query = Static<typeof AlarmsQuery>

interface Services {
  reader: Reader
  customerLists: CustomerLists
  liveLists: LiveLists
  snapshots: Snapshots
}

export const organizationAlarmRoutes: PortalRoutes<Services> = async (
  app,
  { customerLists, liveLists, reader, snapshots }
) => {
  app.get(
    '/organizations/:organizationId/alarms',
    {
      config: {
        id: 'portal.organization-alarms',
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the alarms of all customers of an integrator that need action',
          description:
            'Alarms that are not normal or not acknowledged, of the customers (1,000 at most) where the caller has `alarms:query`: the newest 100 of each. Answers at once with what has been read. For a minute after each call, and while somebody follows these customers with `GET /events`, the gateway reads them in turns, about three upstream calls a second. So repeat the call until `partial` is empty. An alarm must match every filter. Filters change neither `totals` nor `partial`.',
          answers: { 200: { schema: OrganizationAlarms, hasUpstreamRecords: true } }
        }
      },
      schema: { params: OrganizationParams, querystring: AlarmsQuery }
    },
    async (request, reply): Promise<OrganizationAlarms> => {
      const caller = signedIn(request.caller)
      const { organizationId } = request.params
      const cards = await customerLists.of(organizationId, caller, disconnectSignal(reply))
      const { alarmCards, alarmIds } = liveLists(cards, caller.user.roleAssignments)
      await reader.callForAlarms(organizationId, caller, alarmIds)
      const rows = alarmCards.map((card) => ({ card, state: reader.alarmsOf(card.id, caller) }))
      const answer = answerOf(rows, request.query)
      return { ...answer, items: await withDevices(answer.items, caller, snapshots) }
    }
  )
}

interface Row {
  card: CustomerCard
  state: AlarmState
}

function answerOf(rows: readonly Row[], query: Query) {
  const alarms = rows
    .filter(({ card }) => query.customerId === undefined || card.id === query.customerId)
    .flatMap(({ card, state }) => matching(state, card, query))
    .sort(comparingBy(query))
  const readTimes = rows.flatMap(({ state }) => state.readAt ?? [])
  return {
    ...pageOf(alarms, query.page, query.size),
    totals: rows.flatMap(totalOf),
    partial: rows.filter(({ state }) => !isComplete(state)).map(({ card }) => nameOf(card)),
    readAt: readTimes.length === 0 ? null : iso(readTimes.reduce((a, b) => Math.min(a, b)))
  }
}

const nameOf = ({ id, orgName, scope }: CustomerCard): CustomerName => ({ id, orgName, scope })
const iso = (timeMs: number) => new Date(timeMs).toISOString()

const isComplete = ({ reading, delayedSince }: AlarmState) =>
  reading !== undefined && !reading.isOutdated && delayedSince === undefined

function totalOf({ card, state: { reading, readAt, delayedSince } }: Row): OrganizationAlarms['totals'] {
  if (reading === undefined || readAt === undefined) return []
  const { count, activeCount, unackedCount } = reading
  const delay = delayedSince === undefined ? {} : { delayedSince: iso(delayedSince) }
  const counts = { count, active: activeCount, unacked: unackedCount }
  return [{ customer: nameOf(card), ...counts, readAt: iso(readAt), ...delay }]
}

function matching({ reading }: AlarmState, card: CustomerCard, query: Query): Alarm[] {
  if (reading === undefined) return []
  const { show, states, priorityFrom = 1, priorityTo = 255 } = query
  const q = query.q.trim().toLowerCase()
  const isMatch = (alarm: Raw) => {
    const texts = [alarm.sourceName, alarm.messageText, alarm.alarmClass, card.orgName]
    return (
      isShown(alarm, show) &&
      (states.length === 0 || states.some((state) => state === alarm.sourceState)) &&
      Number(alarm.priority) >= priorityFrom &&
      Number(alarm.priority) <= priorityTo &&
      (q === '' || texts.some((part) => text(part).toLowerCase().includes(q)))
    )
  }
  const customer = nameOf(card)
  return reading.alarms.filter(isMatch).map((alarm) => ({ ...(alarm as unknown as Alarm), customer }))
}

function isShown({ sourceState, ackState }: Raw, show: Query['show']): boolean {
  if (show === 'active') return ACTIVE.some((state) => state === sourceState)
  return show === 'action' || OPEN_ACKS.some((state) => state === ackState)
}

/** Sorts equal alarms by time, the newest first. Times are compared as texts, because a list may have many thousand. */
function comparingBy({ sort, order }: Query): (a: Alarm, b: Alarm) => number {
  const newestFirst = byTime('desc')
  if (sort === 'timestamp') return byTime(order)
  const direction = order === 'asc' ? 1 : -1
  const first =
    sort === 'customer'
      ? (a: Alarm, b: Alarm) => direction * a.customer.orgName.localeCompare(b.customer.orgName)
      : comparing({ sort, order })
  return (a, b) => first(a, b) || newestFirst(a, b)
}

function byTime(order: 'asc' | 'desc') {
  const direction = order === 'asc' ? 1 : -1
  return (a: Alarm, b: Alarm) => {
    const [timeA, timeB] = [text(a.timestamp), text(b.timestamp)]
    if (timeA === timeB) return 0
    return timeA < timeB ? -direction : direction
  }
}
