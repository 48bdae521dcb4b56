// The alarms of a customer's devices with data services: searched with filters that must all hold, and counted.
import { objectBody, textList, timeField } from '../../api/body.ts'
import { asked, filtered } from '../../api/filter.ts'
import { searchPage } from '../../api/hal.ts'
import { type Order, Orders } from '../../api/paging.ts'
import { malformed, notFound } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import { between } from '../../records/by-time.ts'
import type { AlarmDefinition } from '../../simulation/alarm-definitions.ts'
import type { Occurrence } from '../../simulation/alarm-times.ts'
import type { State } from '../../state.ts'
import { deviceOf } from '../management/devices.ts'
import { organizationOf } from '../management/organizations.ts'
import { alarmsByTime } from './by-time.ts'
import { ackStateOf, alarmBody, alarmOf, openAlarmsOf, sourceStateOf } from './records.ts'

const PAGE_SIZE = 25
const SOURCE_STATES = ['offnormal', 'fault', 'alert', 'normal']
const ACK_STATES = ['unacked', 'ackPending', 'acked']
const NEWEST_FIRST: Order = { property: 'timestamp', descending: true }

export const alarms: Upstream = (api, state) => {
  const orders = new Orders<Occurrence>()
  const alarmsAt = alarmsByTime(state)

  // Two colons are one in a path; a single one would begin a parameter.
  api.post('/api/v1/alarms/customers/:id/alarms::search', async (request) => {
    const customer = organizationOf(state, params(request).id)
    const timeMs = state.clock()
    const isCheap = CHEAP.has(String((request.query as Record<string, unknown>).sortBy))
    const { fromMs, toMs, conditions } = readFilter(state, objectBody(request), timeMs)
    return searchPage(request, {
      rel: 'alarms',
      items: filtered(
        between(alarmsAt(customer.id, timeMs), ({ startMs }) => startMs, fromMs, toMs),
        conditions
      ),
      toBody: (one) => alarmBody(state, alarmOf(state, one, timeMs)),
      sortedBy: (one) => (isCheap ? cheapKeys(state, one, timeMs) : alarmOf(state, one, timeMs)),
      size: PAGE_SIZE,
      order: NEWEST_FIRST,
      comeBy: NEWEST_FIRST,
      orders
    })
  })

  // Counted is what somebody should look at: alarms that are not normal or not acknowledged.
  api.get('/api/v1/alarms/customers/:id/devices/:deviceId/alarms/count', async (request) => {
    const { id, deviceId = '' } = params(request)
    const device = deviceOf(state, deviceId)
    if (device.customerId !== organizationOf(state, id).id) throw notFound(`device ${deviceId}`)
    const { sourceId } = request.query as Record<string, unknown>
    if (sourceId !== deviceId) throw malformed('sourceId must be the id of the device', 'sourceId')
    return { count: openAlarmsOf(state, device, state.clock()).length }
  })
}

/** What most searches are ordered by, without the rest of the alarm: of a long list all are looked at. */
const CHEAP = new Set(['timestamp', 'sourceName', 'sourceState', 'ackState', 'priority', 'alarmClass'])

function cheapKeys(state: State, alarm: Occurrence, timeMs: number): object {
  const { source: sourceName, priority, alarmClass } = alarm.definition
  const sourceState = sourceStateOf(alarm, timeMs)
  const ackState = ackStateOf(state, alarm, timeMs)
  return { timestamp: alarm.startMs, sourceName, priority, alarmClass, sourceState, ackState }
}

function readFilter(state: State, body: Record<string, unknown>, timeMs: number) {
  const systemGuids = texts(body, 'systemGuids')
  const sourceStates = texts(body, 'sourceStates', SOURCE_STATES)
  const ackStates = texts(body, 'ackStates', ACK_STATES)
  const alarmClasses = texts(body, 'alarmClasses')
  const priorityFrom = priority(body, 'priorityFrom')
  const priorityTo = priority(body, 'priorityTo')
  const fromMs = body.startTime === undefined ? 0 : timeField(body, 'startTime')
  const toMs = body.endTime === undefined ? Number.POSITIVE_INFINITY : timeField(body, 'endTime')
  const keyword = typeof body.keyword === 'string' ? body.keyword.trim().toLowerCase() : ''
  const says = remembered(({ source, message }: AlarmDefinition) =>
    [source, message].some((text) => text.toLowerCase().includes(keyword))
  )
  const conditions = asked<Occurrence>([
    [systemGuids, ({ device }) => systemGuids?.has(device.systemGuid) === true],
    [alarmClasses, ({ definition }) => alarmClasses?.has(definition.alarmClass) === true],
    [priorityFrom, ({ definition }) => definition.priority >= (priorityFrom ?? 0)],
    [priorityTo, ({ definition }) => definition.priority <= (priorityTo ?? 0)],
    [keyword, ({ definition }) => says(definition)],
    [sourceStates, (one) => sourceStates?.has(sourceStateOf(one, timeMs)) === true],
    [ackStates, (one) => ackStates?.has(ackStateOf(state, one, timeMs)) === true]
  ])
  return { fromMs, toMs, conditions }
}

function remembered<K>(find: (key: K) => boolean): (key: K) => boolean {
  const found = new Map<K, boolean>()
  return (key) => {
    const known = found.get(key) ?? find(key)
    found.set(key, known)
    return known
  }
}

// An empty list asks for nothing in particular, as if it were not there.
function texts(body: Record<string, unknown>, field: string, known?: string[]): Set<string> | null {
  if (body[field] === undefined || body[field] === null) return null
  const list = textList(body, field)
  const foreign = list.find((item) => known && !known.includes(item))
  if (foreign !== undefined) throw malformed(`${field} cannot be ${foreign}`, field)
  return list.length === 0 ? null : new Set(list)
}

function priority(body: Record<string, unknown>, field: string): number | null {
  const value = body[field] ?? null
  if (value === null) return null
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 255)
    throw malformed(`${field} must be a whole number from 1 to 255`, field)
  return value
}
