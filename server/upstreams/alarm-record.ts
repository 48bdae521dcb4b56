// An alarm as its upstream tells it, for the descriptions of the calls that answer with some.
import Type from 'typebox'

const text = Type.String()
const time = Type.String({ format: 'date-time' })
const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

const PrioritySchema = Type.Integer({ minimum: 1, maximum: 255 })
const SourceStateSchema = Type.Enum(['offnormal', 'fault', 'alert', 'normal'], { type: 'string' })
const AckStateSchema = Type.Enum(['unacked', 'ackPending', 'acked'], { type: 'string' })

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
