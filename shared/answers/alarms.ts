// Schemas of the alarms in answers of the alarm API.
import Type, { type Static } from 'typebox'
import { named, oneOf, optional, text, textOrNull, texts, time } from './parts.ts'

export const SourceState = oneOf(['offnormal', 'fault', 'alert', 'normal'])
export type SourceState = Static<typeof SourceState>

export const AckState = oneOf(['unacked', 'ackPending', 'acked'])
export type AckState = Static<typeof AckState>

export const Alarm = named('Alarm', {
  ...texts('uuid', 'deviceId', 'systemGuid', 'sourceName', 'alarmClass', 'messageText'),
  timestamp: time('When the alarm was raised.'),
  sourceState: SourceState,
  alarmTransition: optional(text()),
  ackState: AckState,
  ackRequired: Type.Boolean(),
  priority: Type.Integer({ minimum: 1, maximum: 255 }),
  normalTime: textOrNull('When the source was normal again.'),
  ackTime: textOrNull('When the alarm was acknowledged.'),
  user: textOrNull('Who acknowledged the alarm.'),
  notes: Type.Array(Type.Object({ ...texts('text', 'user'), time: time() })),
  alarmData: optional(
    Type.Unsafe<Record<string, string | number | null>>({ type: 'object', additionalProperties: true })
  ),
  lastUpdate: time('When the alarm last changed.')
})
export type Alarm = Static<typeof Alarm>
