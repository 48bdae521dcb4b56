// Searches and counts the alarms of a customer's devices with data services.
import { objectBody, priorityField, textList, timeField } from '../../api/body.ts'
import { searchPage } from '../../api/hal.ts'
import { malformed, notFound } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import { deviceOf } from '../management/devices.ts'
import { organizationOf } from '../management/organizations.ts'
import { type Alarm, alarmBody, alarmsOf, openAlarmsOf } from './alarm-records.ts'

const PAGE_SIZE = 25
const SOURCE_STATES = ['offnormal', 'fault', 'alert', 'normal']
const ACK_STATES = ['unacked', 'ackPending', 'acked']

export const alarms: Upstream = (api, state) => {
  // `::` is a literal colon; a single colon begins a parameter.
  api.post('/api/v1/alarms/customers/:id/alarms::search', async (request) => {
    const customer = organizationOf(state, params(request).id)
    const matchesFilter = readFilter(objectBody(request))
    return searchPage(request, {
      rel: 'alarms',
      items: state.devices
        .of(customer.id)
        .flatMap((device) => alarmsOf(state, device, state.clock()).filter(matchesFilter))
        .sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0)),
      toBody: (alarm) => alarmBody(state, alarm),
      size: PAGE_SIZE
    })
  })

  api.get('/api/v1/alarms/customers/:id/devices/:deviceId/alarms/count', async (request) => {
    const { id, deviceId = '' } = params(request)
    const device = deviceOf(state, deviceId)
    if (device.customerId !== organizationOf(state, id).id) throw notFound(`device ${deviceId}`)
    const { sourceId } = request.query as Record<string, unknown>
    if (sourceId !== deviceId) throw malformed('sourceId must be the id of the device', 'sourceId')
    return { count: openAlarmsOf(state, device, state.clock()).length }
  })
}

function readFilter(body: Record<string, unknown>): (alarm: Alarm) => boolean {
  const matchesSystem = filterOf(body, 'systemGuids')
  const matchesState = filterOf(body, 'sourceStates', SOURCE_STATES)
  const matchesAck = filterOf(body, 'ackStates', ACK_STATES)
  const matchesClass = filterOf(body, 'alarmClasses')
  const priorityFrom = isMissing(body, 'priorityFrom') ? 1 : priorityField(body, 'priorityFrom')
  const priorityTo = isMissing(body, 'priorityTo') ? 255 : priorityField(body, 'priorityTo')
  const fromMs = body.startTime === undefined ? 0 : timeField(body, 'startTime')
  const toMs = body.endTime === undefined ? Number.POSITIVE_INFINITY : timeField(body, 'endTime')
  const keyword = typeof body.keyword === 'string' ? body.keyword.trim().toLowerCase() : ''
  return (alarm) =>
    matchesSystem(alarm.systemGuid) &&
    matchesState(alarm.sourceState) &&
    matchesAck(alarm.ackState) &&
    matchesClass(alarm.alarmClass) &&
    alarm.priority >= priorityFrom &&
    alarm.priority <= priorityTo &&
    Date.parse(alarm.timestamp) >= fromMs &&
    Date.parse(alarm.timestamp) <= toMs &&
    [alarm.sourceName, alarm.messageText].some((text) => text.toLowerCase().includes(keyword))
}

const isMissing = (body: Record<string, unknown>, field: string) =>
  body[field] === undefined || body[field] === null

/** Matches the texts of a list in the body; a missing or empty list matches every text. */
function filterOf(body: Record<string, unknown>, field: string, texts?: string[]): (text: string) => boolean {
  const list = isMissing(body, field) ? [] : textList(body, field)
  const invalidText = list.find((item) => texts && !texts.includes(item))
  if (invalidText !== undefined) throw malformed(`${field} cannot be ${invalidText}`, field)
  return (text) => list.length === 0 || list.includes(text)
}
