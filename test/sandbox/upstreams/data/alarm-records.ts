// The alarms of a device at a time, with their transitions, acknowledgements and notes.
import type { DeviceRecord } from '../../records/sites.ts'
import { ALARMS_KEPT_MS, type Occurrence, occurrencesBetween } from '../../simulation/alarm-times.ts'
import { arisenAlarmsOf } from '../../simulation/arising-alarms.ts'
import { EQUIPMENT_OF } from '../../simulation/equipment.ts'
import { pointNamed } from '../../simulation/points.ts'
import { valuesOf } from '../../simulation/values.ts'
import type { State } from '../../state.ts'
import { withService } from '../subscribed.ts'

const CONFIRMED_AFTER_MS = 2000
const STAFF = ['Peter Umarov', 'Nadia Okafor', 'Paula Andersson', 'Carla Almeida']

export type Alarm = ReturnType<typeof alarmOf>

export function alarmsOf(state: State, device: DeviceRecord, timeMs: number): Alarm[] {
  if (!withService(state, device.customerId, 'NDS').has(device.deviceUuid)) return []
  const fromMs = timeMs - ALARMS_KEPT_MS
  const extras = state.addedAlarms.filter(
    (alarm) => alarm.device.id === device.id && alarm.startMs <= timeMs && alarm.startMs >= fromMs
  )
  const all = [
    ...occurrencesBetween(device, fromMs, timeMs),
    ...arisenAlarmsOf(state, device, timeMs),
    ...extras
  ]
  return all.map((alarm) => alarmOf(state, alarm, timeMs))
}

/** Alarms that are not normal or not acknowledged. */
export function openAlarmsOf(state: State, device: DeviceRecord, timeMs: number): Alarm[] {
  return alarmsOf(state, device, timeMs).filter(
    (alarm) => alarm.sourceState !== 'normal' || alarm.ackState !== 'acked'
  )
}

/** Computes `alarmData` only when the property is read, because a search sorts thousands of bodies. */
export function alarmBody(state: State, alarm: Alarm): object {
  return {
    ...alarm,
    get alarmData() {
      return alarmDataOf(state, alarm)
    }
  }
}

function alarmDataOf(state: State, alarm: Alarm): object {
  const device = state.devices.get(alarm.deviceId)
  const point = device && pointNamed(device, alarm.sourceName)
  if (!point) return {}
  const { template, slotPath, cloudId } = point
  const limit = EQUIPMENT_OF[device.equipment].alarms.find(
    ({ source, message }) => source === alarm.sourceName && message === alarm.messageText
  )?.limit
  const value = valuesOf(state.pointWrites, point)(Date.parse(alarm.timestamp))
  const limits =
    template.kind === 'Numeric'
      ? { ...(limit && { [`${limit.side}Limit`]: limit.value }), units: template.units }
      : {}
  return { alarmValue: String(value), slotPath, cloudId, ...limits }
}

function alarmOf(state: State, occurrence: Occurrence, timeMs: number) {
  const { uuid, device, definition, startMs, endMs } = occurrence
  const notes = state.alarmChanges.get(uuid)?.notes ?? []
  const ack = acknowledgement(state, occurrence, timeMs)
  const isOver = endMs <= timeMs
  const noteTimes = notes.map((note) => Date.parse(note.time))
  const lastMs = Math.max(startMs, ...(isOver ? [endMs] : []), ack?.atMs ?? 0, ...noteTimes)
  return {
    uuid,
    deviceId: device.id,
    systemGuid: device.systemGuid,
    timestamp: new Date(startMs).toISOString(),
    sourceName: definition.source,
    sourceState: isOver ? 'normal' : definition.state,
    alarmTransition: definition.state,
    ackState: ack?.state ?? 'unacked',
    ackRequired: definition.state !== 'alert',
    priority: definition.priority,
    alarmClass: definition.alarmClass,
    messageText: definition.message,
    normalTime: isOver ? new Date(endMs).toISOString() : null,
    ackTime: ack?.state === 'acked' ? new Date(ack.atMs).toISOString() : null,
    user: ack?.user ?? null,
    notes,
    lastUpdate: new Date(lastMs).toISOString()
  }
}

/** The acknowledgement by a caller, or by the simulated staff of the site. */
function acknowledgement(state: State, { uuid, acknowledgedMs, seed }: Occurrence, timeMs: number) {
  const caller = state.alarmChanges.get(uuid)?.acknowledged
  if (caller) {
    const atMs = caller.atMs + CONFIRMED_AFTER_MS
    return { state: atMs <= timeMs ? ('acked' as const) : ('ackPending' as const), atMs, user: caller.user }
  }
  if (acknowledgedMs === null || acknowledgedMs > timeMs) return null
  return { state: 'acked' as const, atMs: acknowledgedMs, user: STAFF[seed % STAFF.length] ?? null }
}
