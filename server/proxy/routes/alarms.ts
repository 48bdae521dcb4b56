// Rows for the alarms of a customer, with their request schemas. In a path, the router reads `::` as a single colon.
import Type from 'typebox'
import { AckState, Alarm, SourceState } from '#shared/answers/alarms.ts'
import { count } from '#shared/answers/parts.ts'
import { closed, id, listOf, optional, text, time, whole } from '../../schemas.ts'
import { countedList, ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { COUNTED, IDS_BYTES, OBJECTS_MAX } from './schemas.ts'

const ALARMS = '/api/v1/alarms/customers/:customerId'
const area = { name: 'Alarms', description: 'Alarms that devices have raised. For commands to alarms, see “Live values and commands”.' }
const query = { area, action: 'alarms:query' } as const

const priority = optional(whole(1, 255))
const search = closed(
  {
    systemGuids: optional(listOf(id(undefined, '5f1c0a9b7d3e2f4a6b8c0d1e'), OBJECTS_MAX)),
    sourceStates: optional(listOf(SourceState, 10)),
    ackStates: optional(listOf(AckState, 10)),
    alarmClasses: optional(listOf(text(200), 100)),
    priorityFrom: priority,
    priorityTo: priority,
    startTime: optional(time()),
    endTime: optional(time()),
    keyword: optional(text(300))
  },
  { $id: 'AlarmSearch' }
)
const source = closed({ sourceId: id('Repeats the `deviceId` of the path.') })

export const alarms: readonly ProxyRow[] = [
  {
    ...query,
    id: 'alarms.search',
    method: 'POST',
    path: `${ALARMS}/alarms::search`,
    scope: 'customer',
    check: 'systems',
    query: closed(COUNTED),
    body: search,
    bodyLimit: IDS_BYTES,
    summary: 'Search the alarms of a customer',
    description: 'A missing field or an empty list does not filter.',
    answers: countedList('alarms', Alarm)
  },
  {
    ...query,
    id: 'alarms.count',
    method: 'GET',
    path: `${ALARMS}/devices/:deviceId/alarms/count`,
    scope: 'customer-device',
    check: 'source-is-device',
    query: source,
    summary: 'Count the open alarms of a device',
    answers: ok(Type.Object({ count: count() }))
  }
]
