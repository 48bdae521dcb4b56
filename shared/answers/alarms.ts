// Alarms, as the alarm API answers them.
import Type, { type Static } from 'typebox'
import { named, oneOf, optional, text, textOrNull, texts, time } from './parts.ts'

export const SourceState = oneOf(['offnormal', 'fault', 'alert', 'normal'])
export type SourceState = Static<typeof SourceState>

export const AckState = oneOf(['unacked', 'ackPending', 'acked'])
export type AckState = Static<typeof AckState>

export const Alarm = named('Alarm', {
  ...texts('uuid', 'deviceId', 'systemGuid', 'sourceName', 'alarmClass', 'messageText'),
  timestamp: time('When it was raised.'),
  sourceState: SourceState,
  alarmTransition: optional(text()),
  ackState: AckState,
  ackRequired: Type.Boolean(),
  priority: Type.Integer({ minimum: 1, maximum: 255 }),
  normalTime: textOrNull('When its source was normal again.'),
  ackTime: textOrNull('When it was acknowledged.'),
  user: textOrNull('Who acknowledged it.'),
  notes: Type.Array(Type.Object({ ...texts('text', 'user'), time: time() })),
  alarmData: optional(
    Type.Unsafe<Record<string, string | number | null>>({ type: 'object', additionalProperties: true })
  ),
  lastUpdate: time('When it last changed.')
})
export type Alarm = Static<typeof Alarm>
