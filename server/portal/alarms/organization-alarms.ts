// Lists the alarms that need action of all customers of an organization, from what has been read (readings/).

import type { CustomerCard, CustomerName } from '#shared/answers/customers.ts'
import { OrganizationAlarms } from '#shared/answers/portal.ts'
import { problems } from '../../errors.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import { inSteps } from '../../steps.ts'
import type { Clock } from '../../types.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { type Raw, text } from '../../upstreams/fields.ts'
import { visibilityOf } from '../../upstreams/visibility.ts'
import type { CustomerLists } from '../customer-lists.ts'
import { jsonInSteps, sendJson } from '../encoding.ts'
import { OrganizationParams } from '../parameters.ts'
import { createReadingLists, mapInSteps, type Row, type RowQuery } from '../reading-lists.ts'
import { ALARMS_READ, type AlarmReading } from '../readings/alarm-reading.ts'
import type { AlarmState, Reader } from '../readings/reader.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn } from '../request.ts'
import { type AlarmWithCustomer, withDevices } from './alarm-devices.ts'
import { ALARM_ROWS, priorityOf } from './alarm-rows.ts'
import { OrganizationAlarmsQuery, searchesOf } from './alarms-query.ts'
import type { LiveLists } from './live-lists.ts'
import { systemsIn } from './project-systems.ts'

interface Services {
  reader: Reader
  customerLists: CustomerLists
  liveLists: LiveLists
  snapshots: Snapshots
  clock: Clock
}

export const organizationAlarmRoutes: PortalRoutes<Services> = async (app, services) => {
  const { reader, customerLists, liveLists, snapshots, clock } = services
  const lists = createReadingLists(ALARM_ROWS)
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
            'Alarms that are not normal or not acknowledged, of the customers (1,000 at most) where the caller has `alarms:query`: the newest 100 of each. Answers at once with what has been read. For a minute after each call, and while somebody follows these customers with `GET /events`, the gateway reads them in turns, about three upstream calls a second. So repeat the call until `partial` is empty. An alarm must match every filter. Filters change neither `counts`, `totals` nor `partial`.',
          answers: { 200: { schema: OrganizationAlarms, hasUpstreamRecords: true } }
        }
      },
      schema: { params: OrganizationParams, querystring: OrganizationAlarmsQuery }
    },
    async (request, reply) => {
      const caller = signedIn(request.caller)
      const { organizationId } = request.params
      const signal = disconnectSignal(reply)
      const cards = await customerLists.of(organizationId, caller, signal)
      const { alarmCards, alarmIds } = liveLists(cards, caller.user.roleAssignments)
      await reader.callForAlarms(organizationId, caller, alarmIds)
      const query = await rowQueryOf(request.query, async (customerId) => {
        if (!alarmIds.includes(customerId)) throw problems.notFound('There is no such customer.')
        return snapshots.of(customerId, caller, signal)
      })
      const states = await inSteps(
        mapInSteps(alarmCards, (card) => ({
          customer: nameOf(card),
          ...reader.alarmsOf(card.id, caller)
        }))
      )
      const read = states.filter(isRead)
      // Callers of equal visibility see the same readings, except one whose token is refused.
      const isRefused = states.some((state) => state.isRefused)
      const listName = `${organizationId} ${visibilityOf(caller)} ${isRefused ? caller.user.id : ''}`
      const { items, page } = await lists.page(listName, read, query)
      const totals = await inSteps(mapInSteps(read, totalOf))
      const answer: OrganizationAlarms = {
        items: await withDevices(items.map(alarmOf), caller, snapshots),
        page,
        counts: sumOf(totals),
        totals,
        partial: states.filter((state) => !isComplete(state)).map(({ customer }) => customer),
        readAt:
          read.length === 0
            ? null
            : iso(read.reduce((oldest, { readAt }) => Math.min(oldest, readAt), Number.POSITIVE_INFINITY))
      }
      return sendJson(request, reply, Buffer.from(await inSteps(jsonInSteps(answer))))
    }
  )

  async function rowQueryOf(
    query: OrganizationAlarmsQuery,
    snapshotOf: (customerId: string) => ReturnType<Snapshots['of']>
  ): Promise<RowQuery<Raw>> {
    const { customerId, systemGuid, projectId, keyword, q, page, size } = query
    if (projectId !== undefined && customerId === undefined)
      throw problems.badRequest('The parameter "projectId" needs the parameter "customerId".')
    const systems = await systemsIn({ systemGuid, projectId }, () => snapshotOf(customerId ?? ''), clock())
    const { sort = 'band' } = query
    const { order = sort === 'band' ? 'asc' : 'desc' } = query
    const { filter, filterName } = filterOf(query, systems)
    return { sort, order, keyword: keyword || q, filter, filterName, page, size }
  }
}

type CustomerState = { customer: CustomerName } & AlarmState
type ReadCustomer = CustomerState & { reading: AlarmReading; readAt: number }

function isRead(state: CustomerState): state is ReadCustomer {
  return state.reading !== undefined && state.readAt !== undefined
}

const isComplete = ({ reading, delayedSince }: AlarmState) =>
  reading !== undefined && !reading.isOutdated && delayedSince === undefined

const nameOf = ({ id, orgName, scope }: CustomerCard): CustomerName => ({ id, orgName, scope })
const iso = (timeMs: number) => new Date(timeMs).toISOString()
const alarmOf = ({ item, customer }: Row<Raw>) => ({ ...(item as unknown as AlarmWithCustomer), customer })

type Total = OrganizationAlarms['totals'][number]

function totalOf({ customer, reading, readAt, delayedSince }: ReadCustomer): Total {
  const { count, activeCount, unackedCount } = reading
  const delay = delayedSince === undefined ? {} : { delayedSince: iso(delayedSince) }
  return { customer, count, active: activeCount, unacked: unackedCount, readAt: iso(readAt), ...delay }
}

function sumOf(totals: readonly Total[]): OrganizationAlarms['counts'] {
  const counts = { action: 0, active: 0, unacked: 0, unackedIsMinimum: false }
  for (const { count, active, unacked } of totals) {
    counts.action += count
    counts.active += active
    counts.unacked += unacked
    if (active > ALARMS_READ) counts.unackedIsMinimum = true
  }
  return counts
}

/** @param systemGuids null for all systems */
function filterOf(query: OrganizationAlarmsQuery, systemGuids: readonly string[] | null) {
  const systems = systemGuids && new Set(systemGuids)
  const { show, customerId, alarmClasses, priorityFrom = 1, priorityTo = 255, startTime } = query
  const sourceStates = query.sourceStates.length > 0 ? query.sourceStates : query.states
  const searches = searchesOf({ show, sourceStates })
  const startMs = startTime === undefined ? 0 : Date.parse(startTime)
  const limits = [
    show,
    sourceStates,
    customerId,
    alarmClasses,
    priorityFrom,
    priorityTo,
    startMs,
    systemGuids
  ]
  const filter = ({ item, customer, tie }: Row<Raw>) =>
    searches.some(
      (states) => allows(states.sourceStates, item.sourceState) && allows(states.ackStates, item.ackState)
    ) &&
    (customerId === undefined || customer.id === customerId) &&
    (systems === null || systems.has(text(item.systemGuid))) &&
    allows(alarmClasses, item.alarmClass) &&
    priorityOf(item) >= priorityFrom &&
    priorityOf(item) <= priorityTo &&
    tie >= startMs
  return { filter, filterName: JSON.stringify(limits) }
}

/** Whether a value is one of these; an empty list allows every value. */
const allows = (values: readonly string[], value: unknown) =>
  values.length === 0 || values.some((allowed) => allowed === value)
