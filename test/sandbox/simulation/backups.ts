// Backups of stations: weekly at night and sometimes manual, derived from the device's seed and the time.
import type { DeviceRecord } from '../records/sites.ts'
import { bits, chance, seedOf } from './chance.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS
const WEEKS_STORED = 6
const PERIOD_MS = 40 * 24 * HOUR_MS
const PERIODS_STORED = 3
const DURATION_MS = 3 * 60_000
const NOTES = [
  'Before the upgrade',
  'After commissioning, do not delete',
  'Before the new schedules\nof the east wing',
  ''
]

export interface Backup {
  id: string
  device: DeviceRecord
  startMs: number
  trigger: 'MANUAL' | 'SCHEDULED'
  status: 'RUNNING' | 'COMPLETE' | 'FAILED'
  sizeBytes: number
  notes: string
  retained: boolean
  niagaraVersion: string
}

export function backupsOf(device: DeviceRecord, nowMs: number): Backup[] {
  const deviceSeed = seedOf(device.deviceUuid)
  const phaseMs = (deviceSeed % 7) * 24 * HOUR_MS + 2 * HOUR_MS + (deviceSeed % 3600) * 1000
  const week = Math.floor((nowMs - phaseMs) / WEEK_MS)
  const period = Math.floor(nowMs / PERIOD_MS)
  const backups: Backup[] = []
  for (let index = week - WEEKS_STORED + 1; index <= week; index++)
    backups.push(backup(device, 'SCHEDULED', index, index * WEEK_MS + phaseMs, nowMs))
  for (let index = period - PERIODS_STORED; index <= period; index++) {
    const seed = bits(deviceSeed, index, 77)
    const startMs = Math.round((index + chance(seed)) * PERIOD_MS)
    if (chance(seed, 1) < 0.5) backups.push(backup(device, 'MANUAL', index, startMs, nowMs))
  }
  const createdMs = Date.parse(device.createdDate)
  return backups.filter((backup) => backup.startMs >= createdMs && backup.startMs <= nowMs)
}

function backup(
  device: DeviceRecord,
  trigger: Backup['trigger'],
  index: number,
  startMs: number,
  nowMs: number
): Backup {
  const isManual = trigger === 'MANUAL'
  const seed = bits(seedOf(device.deviceUuid), index, isManual ? 1 : 2)
  const fails = chance(seed, 1) < 0.04
  return {
    id: `bk-${device.id}-${isManual ? 'm' : 's'}${index}`,
    device,
    startMs,
    trigger,
    status: nowMs < startMs + DURATION_MS ? 'RUNNING' : fails ? 'FAILED' : 'COMPLETE',
    sizeBytes: 12_000 + (seed % 28_000),
    notes: isManual ? (NOTES[seed % NOTES.length] as string) : '',
    retained: isManual && chance(seed, 2) < 0.4,
    niagaraVersion: `4.${11 + (seedOf(device.id) % 4)}.${seed % 3}`
  }
}
