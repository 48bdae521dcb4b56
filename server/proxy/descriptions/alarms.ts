// What is told of alarms (§7, A-7). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import { COUNTED, CountedPage, halList, json, nullableText, optional, text, time, yesNo } from './shapes.ts'

const priority = Type.Integer({ minimum: 1, maximum: 255 })
const SourceState = Type.Enum(['offnormal', 'fault', 'alert', 'normal'], { type: 'string' })
const AckState = Type.Enum(['unacked', 'ackPending', 'acked'], { type: 'string' })

const Alarm = Type.Object(
  {
    uuid: text,
    deviceId: text,
    systemGuid: text,
    timestamp: time,
    sourceName: text,
    sourceState: SourceState,
    alarmTransition: optional(text),
    ackState: AckState,
    ackRequired: yesNo,
    priority,
    alarmClass: text,
    messageText: text,
    normalTime: optional(nullableText),
    ackTime: optional(nullableText),
    user: optional(nullableText),
    notes: optional(Type.Array(Type.Object({ text, user: text, time }))),
    alarmData: optional(Type.Object({}, { additionalProperties: true })),
    lastUpdate: optional(time)
  },
  { $id: 'Alarm' }
)
const ALARM = {
  uuid: 'a-9',
  deviceId: 'd-7',
  systemGuid: '5f1c0a9b7d3e2f4a6b8c0d1e',
  timestamp: '2025-06-12T12:05:31.120Z',
  sourceName: 'Supply Air Temperature',
  sourceState: 'offnormal',
  alarmTransition: 'offnormal',
  ackState: 'unacked',
  ackRequired: true,
  priority: 63,
  alarmClass: 'critical',
  messageText: 'Supply air too warm',
  normalTime: null,
  ackTime: null,
  user: null,
  notes: [],
  alarmData: { highLimit: 24 },
  lastUpdate: '2025-06-12T12:05:31.120Z'
}

export const alarms: Area = area(
  'Alarms',
  'What devices have reported; commands about them are with the live values.',
  {
    'alarms.search': {
      summary: 'Search the alarms of a customer',
      description: 'What the body does not name, or names as an empty list, does not count.',
      query: Type.Object(COUNTED),
      body: {
        schema: Type.Object(
          {
            systemGuids: optional(Type.Array(text)),
            sourceStates: optional(Type.Array(SourceState)),
            ackStates: optional(Type.Array(AckState)),
            alarmClasses: optional(Type.Array(text)),
            priorityFrom: optional(priority),
            priorityTo: optional(priority),
            startTime: optional(time),
            endTime: optional(time),
            keyword: optional(text)
          },
          { $id: 'AlarmSearch' }
        ),
        example: { sourceStates: ['offnormal', 'fault'], ackStates: ['unacked'], priorityTo: 127 }
      },
      answers: { 200: halList('One page of alarms.', 'alarms', Alarm, ALARM, CountedPage) }
    },
    'alarms.count': {
      summary: 'Count the open alarms of a device',
      query: Type.Object({ sourceId: Type.String({ description: 'The `deviceId` of the path again.' }) }),
      answers: {
        200: json('The number.', Type.Object({ count: Type.Integer({ minimum: 0 }) }), { count: 3 })
      }
    }
  }
)
