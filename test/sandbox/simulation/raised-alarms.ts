// Alarms in addition to those that the seed and the clock decide.
import type { DeviceRecord } from '../records/sites.ts'
import type { State } from '../state.ts'
import type { AlarmDefinition } from './equipment.ts'

const DAY_MS = 86_400_000

/** Raises an alarm now, which lasts a day. Returns its uuid. */
export function raiseAlarm(
  state: State,
  device: DeviceRecord,
  change: Partial<AlarmDefinition> = {}
): string {
  const uuid = `${device.deviceUuid.slice(0, 24)}${String(state.addedAlarms.length + 1).padStart(12, '0')}`
  const startMs = state.clock()
  state.addedAlarms.push({
    uuid,
    device,
    definition: {
      source: 'Supply Air Temp',
      state: 'offnormal',
      alarmClass: 'HVAC',
      priority: 40,
      message: 'Supply air temperature is too high',
      ...change
    },
    startMs,
    endMs: startMs + DAY_MS,
    acknowledgedMs: null,
    seed: state.addedAlarms.length
  })
  return uuid
}
