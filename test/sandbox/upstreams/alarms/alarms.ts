// The alarms of a customer's devices with data services: searched with filters that must all hold, and counted.
import { objectBody, textList, timeField } from '../../api/body.ts'
import { searchPage } from '../../api/hal.ts'
import { malformed, notFound } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { State } from '../../state.ts'
import { deviceOf } from '../management/devices.ts'
import { organizationOf } from '../management/organizations.ts'
import { type Alarm, alarmBody, alarmsOf, openAlarmsOf } from './records.ts'

const PAGE_SIZE = 25
const SOURCE_STATES = ['offnormal', 'fault', 'alert', 'normal']
const ACK_STATES = ['unacked', 'ackPending', 'acked']

export const alarms: Upstream = (api, state) => {
  // Two colons are one in a path; a single one would begin a parameter.
  api.post('/api/v1/alarms/customers/:id/alarms::search', async (request) => {
    const customer = organizationOf(state, params(request).id)
    const matches = readFilter(objectBody(request))
    return searchPage(request, {
      rel: 'alarms',
      items: alarmsAt(state, customer.id).filter(matches),
      toBody: (alarm) => alarmBody(state, alarm),
      sortedBy: (alarm) => alarm,
      size: PAGE_SIZE,
      order: { property: 'timestamp', descending: true }
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

function alarmsAt(state: State, customerId: string): Alarm[] {
  const timeMs = state.clock()
  return state.devices.of(customerId).flatMap((device) => alarmsOf(state, device, timeMs))
}

function readFilter(body: Record<string, unknown>): (alarm: Alarm) => boolean {
  const systemGuids = texts(body, 'systemGuids')
  const sourceStates = texts(body, 'sourceStates', SOURCE_STATES)
  const ackStates = texts(body, 'ackStates', ACK_STATES)
  const alarmClasses = texts(body, 'alarmClasses')
  const priorityFrom = priority(body, 'priorityFrom', 1)
  const priorityTo = priority(body, 'priorityTo', 255)
  const fromMs = body.startTime === undefined ? 0 : timeField(body, 'startTime')
  const toMs = body.endTime === undefined ? Number.POSITIVE_INFINITY : timeField(body, 'endTime')
  const keyword = typeof body.keyword === 'string' ? body.keyword.trim().toLowerCase() : ''
  return (alarm) =>
    (!systemGuids || systemGuids.has(alarm.systemGuid)) &&
    (!sourceStates || sourceStates.has(alarm.sourceState)) &&
    (!ackStates || ackStates.has(alarm.ackState)) &&
    (!alarmClasses || alarmClasses.has(alarm.alarmClass)) &&
    alarm.priority >= priorityFrom &&
    alarm.priority <= priorityTo &&
    Date.parse(alarm.timestamp) >= fromMs &&
    Date.parse(alarm.timestamp) <= toMs &&
    [alarm.sourceName, alarm.messageText].some((text) => text.toLowerCase().includes(keyword))
}

// An empty list asks for nothing in particular, as if it were not there.
function texts(body: Record<string, unknown>, field: string, known?: string[]): Set<string> | null {
  if (body[field] === undefined || body[field] === null) return null
  const list = textList(body, field)
  const foreign = list.find((item) => known && !known.includes(item))
  if (foreign !== undefined) throw malformed(`${field} cannot be ${foreign}`, field)
  return list.length === 0 ? null : new Set(list)
}

function priority(body: Record<string, unknown>, field: string, fallback: number): number {
  const value = body[field] ?? fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 255)
    throw malformed(`${field} must be a whole number from 1 to 255`, field)
  return value
}
