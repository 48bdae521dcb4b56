// An alarm as its upstream tells it (upstream contract, A-7), for the descriptions of the calls that answer with some.
import Type from 'typebox'

const text = Type.String()
const time = Type.String({ format: 'date-time' })
const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const PrioritySchema = Type.Integer({ minimum: 1, maximum: 255 })
export const SourceStateSchema = Type.Enum(['offnormal', 'fault', 'alert', 'normal'], { type: 'string' })
export const AckStateSchema = Type.Enum(['unacked', 'ackPending', 'acked'], { type: 'string' })

export const AlarmSchema = Type.Object(
  {
    uuid: text,
    deviceId: text,
    systemGuid: text,
    timestamp: time,
    sourceName: text,
    sourceState: SourceStateSchema,
    alarmTransition: Type.Optional(text),
    ackState: AckStateSchema,
    ackRequired: Type.Boolean(),
    priority: PrioritySchema,
    alarmClass: text,
    messageText: text,
    normalTime: Type.Optional(nullableText),
    ackTime: Type.Optional(nullableText),
    user: Type.Optional(nullableText),
    notes: Type.Optional(Type.Array(Type.Object({ text, user: text, time }))),
    alarmData: Type.Optional(Type.Object({}, { additionalProperties: true })),
    lastUpdate: Type.Optional(time)
  },
  { $id: 'Alarm' }
)
export const ALARM = {
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
