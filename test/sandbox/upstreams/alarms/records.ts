// Alarms as they stand at a time: when they went off and returned to normal, and what people have done about them.

import type { DeviceRecord } from '../../records/sites.ts'
import { ALARMS_OF } from '../../simulation/alarm-definitions.ts'
import { ALARMS_KEPT_MS, type Occurrence, occurrencesOf } from '../../simulation/alarm-times.ts'
import { pointNamed } from '../../simulation/points.ts'
import { valuesOf } from '../../simulation/values.ts'
import type { State } from '../../state.ts'
import { withService } from '../subscribed.ts'

const CONFIRMED_AFTER_MS = 2000
const STAFF = ['Peter Umarov', 'Nadia Okafor', 'Paula Andersson', 'Carla Almeida']

export interface Alarm {
  uuid: string
  deviceId: string
  systemGuid: string
  timestamp: string
  sourceName: string
  sourceState: 'offnormal' | 'fault' | 'alert' | 'normal'
  alarmTransition: string
  ackState: 'unacked' | 'ackPending' | 'acked'
  ackRequired: boolean
  priority: number
  alarmClass: string
  messageText: string
  normalTime: string | null
  ackTime: string | null
  user: string | null
  notes: { text: string; user: string; time: string }[]
  lastUpdate: string
}

export function alarmsOf(state: State, device: DeviceRecord, timeMs: number): Alarm[] {
  if (!withService(state, device.customerId, 'NDS').has(device.deviceUuid)) return []
  const added = state.addedAlarms
    .of(device.id)
    .filter(({ startMs }) => startMs <= timeMs && startMs >= timeMs - ALARMS_KEPT_MS)
  return [...occurrencesOf(device, timeMs), ...added].map((one) => alarmOf(state, one, timeMs))
}

export function openAlarmsOf(state: State, device: DeviceRecord, timeMs: number): Alarm[] {
  return alarmsOf(state, device, timeMs).filter(
    (one) => one.sourceState !== 'normal' || one.ackState !== 'acked'
  )
}

export function alarmBody(state: State, alarm: Alarm): object {
  const device = state.devices.get(alarm.deviceId)
  const point = device && pointNamed(device, alarm.sourceName)
  if (!point) return { ...alarm, alarmData: {} }
  const { template, slotPath, cloudId } = point
  const limit = ALARMS_OF[device.equipment].find(
    ({ source, message }) => source === alarm.sourceName && message === alarm.messageText
  )?.limit
  const value = valuesOf(state.pointWrites, point)(Date.parse(alarm.timestamp))
  const limits =
    template.kind === 'Numeric'
      ? { ...(limit && { [`${limit.side}Limit`]: limit.value }), units: template.units }
      : {}
  return { ...alarm, alarmData: { alarmValue: String(value), slotPath, cloudId, ...limits } }
}

export function sourceStateOf({ endMs, definition }: Occurrence, timeMs: number): Alarm['sourceState'] {
  return endMs <= timeMs ? 'normal' : definition.state
}

export function ackStateOf(state: State, occurrence: Occurrence, timeMs: number): Alarm['ackState'] {
  return acknowledgement(state, occurrence, timeMs)?.state ?? 'unacked'
}

export function alarmOf(state: State, occurrence: Occurrence, timeMs: number): Alarm {
  const { uuid, device, definition, startMs, endMs } = occurrence
  const changes = state.alarmChanges.get(uuid)
  const acknowledged = acknowledgement(state, occurrence, timeMs)
  const isOver = endMs <= timeMs
  const noted = (changes?.notes ?? []).map((note) => Date.parse(note.time))
  const lastMs = Math.max(startMs, ...(isOver ? [endMs] : []), acknowledged?.atMs ?? 0, ...noted)
  return {
    uuid,
    deviceId: device.id,
    systemGuid: device.systemGuid,
    timestamp: new Date(startMs).toISOString(),
    sourceName: definition.source,
    sourceState: isOver ? 'normal' : definition.state,
    alarmTransition: definition.state,
    ackState: acknowledged?.state ?? 'unacked',
    ackRequired: definition.state !== 'alert',
    priority: definition.priority,
    alarmClass: definition.alarmClass,
    messageText: definition.message,
    normalTime: isOver ? new Date(endMs).toISOString() : null,
    ackTime: acknowledged?.state === 'acked' ? new Date(acknowledged.atMs).toISOString() : null,
    user: acknowledged?.user ?? null,
    notes: changes?.notes ?? [],
    lastUpdate: new Date(lastMs).toISOString()
  }
}

// By a call, or else by the staff of the site in their own time.
function acknowledgement(state: State, { uuid, acknowledgedMs, seed }: Occurrence, timeMs: number) {
  const called = state.alarmChanges.get(uuid)?.acknowledged
  if (called) {
    const atMs = called.atMs + CONFIRMED_AFTER_MS
    return { state: atMs <= timeMs ? ('acked' as const) : ('ackPending' as const), atMs, user: called.user }
  }
  if (acknowledgedMs === null || acknowledgedMs > timeMs) return null
  return { state: 'acked' as const, atMs: acknowledgedMs, user: STAFF[seed % STAFF.length] ?? null }
}
