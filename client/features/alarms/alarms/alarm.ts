// Labels of alarm states, priority bands and presets. Alarm fields have the names of Niagara's alarm record.
import type { AlarmsShown } from '#shared/alarms.ts'
import type { AckState, Alarm, SourceState } from '#shared/answers/alarms.ts'
import { CUSTOM_RANGE } from '#shared/time/date-ranges.ts'
import { historyAddress } from '../../data/points/history-address.ts'

export const SOURCE_STATES: Record<SourceState, { label: string; tone: string }> = {
  offnormal: { label: 'Offnormal', tone: 'danger' },
  fault: { label: 'Fault', tone: 'danger' },
  alert: { label: 'Alert', tone: 'warn' },
  normal: { label: 'Normal', tone: 'ok' }
}

/** `unconfirmed`: the device did not confirm the acknowledgement in time. */
export type ShownAck = AckState | 'unconfirmed'

export const ACK_STATES: Record<ShownAck, string> = {
  unacked: 'Unacked',
  ackPending: 'Ack pending',
  acked: 'Acked',
  unconfirmed: 'Not confirmed'
}

export const PRESETS = {
  action: { label: 'Needs action', meaning: 'not normal, or not acknowledged' },
  active: { label: 'Active', meaning: 'not back to normal' },
  unacked: { label: 'Unacknowledged', meaning: 'not acknowledged yet' },
  all: { label: 'All', meaning: 'all stored alarms' }
} satisfies Record<AlarmsShown, { label: string; meaning: string }>

export type Preset = AlarmsShown

export function isUnacked({ ackState }: Alarm): boolean {
  return ackState === 'unacked'
}

export interface DeviceAlarms {
  deviceId: string
  alarmUuids: string[]
}

export function byDevice(alarms: readonly Alarm[]): DeviceAlarms[] {
  const devices = new Map<string, string[]>()
  for (const { deviceId, uuid } of alarms) devices.set(deviceId, [...(devices.get(deviceId) ?? []), uuid])
  return [...devices].map(([deviceId, alarmUuids]) => ({ deviceId, alarmUuids }))
}

const HOUR_MS = 3_600_000

/** The address of the point's history from 1 h before the alarm to 1 h after its end, or to now if it is active. */
export function historyAround(alarm: Alarm, customerPath: string, deviceUuid: string, nowMs: number): string {
  const raisedMs = Date.parse(alarm.timestamp)
  const endMs = alarm.normalTime ? Date.parse(alarm.normalTime) + HOUR_MS : nowMs
  const cloudId = alarm.alarmData?.cloudId
  return historyAddress(customerPath, deviceUuid, {
    points: typeof cloudId === 'string' ? [{ deviceUuid, cloudId }] : [],
    filter: CUSTOM_RANGE,
    custom: { fromMs: raisedMs - HOUR_MS, toMs: Math.max(raisedMs, endMs) },
    alarm: alarm.uuid
  })
}
