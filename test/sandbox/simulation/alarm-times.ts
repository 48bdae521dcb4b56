// Computes the start and end of alarms from the device's seed and the time.
import type { DeviceRecord } from '../records/sites.ts'
import { bits, chance, seedOf } from './chance.ts'
import { type AlarmDefinition, EQUIPMENT_OF } from './equipment.ts'

const HOUR_MS = 3_600_000
const PERIOD_MS = 8 * 24 * HOUR_MS
export const ALARMS_KEPT_MS = 60 * 24 * HOUR_MS
const CHANCE_IN_PERIOD = 0.07
const DURATION_MAX_MS = PERIOD_MS

export interface Occurrence {
  uuid: string
  device: DeviceRecord
  definition: AlarmDefinition
  startMs: number
  endMs: number
  /** The time of the acknowledgement; null without an acknowledgement. */
  acknowledgedMs: number | null
  seed: number
}

export function occurrencesBetween(device: DeviceRecord, fromMs: number, toMs: number): Occurrence[] {
  const deviceSeed = seedOf(device.deviceUuid)
  const definitions = EQUIPMENT_OF[device.equipment].alarms
  const firstPeriod = Math.floor(fromMs / PERIOD_MS)
  const lastPeriod = Math.floor(toMs / PERIOD_MS)
  const oldestMs = Math.max(fromMs, Date.parse(device.createdDate))
  const occurrences: Occurrence[] = []
  for (let period = firstPeriod; period <= lastPeriod; period++)
    for (let index = 0; index < definitions.length; index++) {
      const seed = bits(deviceSeed, period, index)
      if (chance(seed) >= CHANCE_IN_PERIOD) continue
      const startMs = Math.round(period * PERIOD_MS + chance(seed, 1) * PERIOD_MS)
      if (startMs > toMs || startMs < oldestMs) continue
      occurrences.push(occurrence(device, definitions[index] as AlarmDefinition, startMs, seed))
    }
  return occurrences
}

export function occurrence(
  device: DeviceRecord,
  definition: AlarmDefinition,
  startMs: number,
  seed: number
): Occurrence {
  // Most alarms end within hours, a few last for days.
  const durationShare = chance(seed, 2) ** 4
  const delayShare = chance(seed, 3) ** 3
  return {
    uuid: `${device.deviceUuid.slice(0, 24)}${bits(seed, 9).toString(16).padStart(8, '0').slice(4)}${seed.toString(16).padStart(8, '0')}`,
    device,
    definition,
    startMs,
    endMs: Math.round(startMs + 300_000 + durationShare * DURATION_MAX_MS),
    acknowledgedMs: chance(seed, 4) < 0.15 ? null : Math.round(startMs + 600_000 + delayShare * 96 * HOUR_MS),
    seed
  }
}
