import type { Alarm } from '#shared/answers/alarms.ts'

export const alarmRecord = (uuid: string, rest: Partial<Alarm> = {}): Alarm => ({
  uuid,
  deviceId: 'd-1',
  systemGuid: 'guid-1',
  timestamp: '2026-03-01T12:00:00Z',
  sourceName: `Source ${uuid}`,
  sourceState: 'offnormal',
  ackState: 'unacked',
  ackRequired: true,
  priority: 100,
  alarmClass: 'HVAC',
  messageText: 'High',
  normalTime: null,
  ackTime: null,
  user: null,
  notes: [],
  lastUpdate: '2026-03-01T12:00:00Z',
  ...rest
})
