// Recorded samples of a point: every 15 minutes, or at each change and once a day. Histories have gaps and begin with the
// registration of the device.
import { chance, seedOf } from './chance.ts'
import type { Point, PointValue } from './points.ts'
import { isGap, type PointWrites, valuesOf } from './values.ts'

const DAY_MS = 86_400_000
export const SAMPLE_MS = 900_000
const FAULTY_SHARE = 1 / 700

export interface HistoryRecord {
  timestamp: string
  value: PointValue
  status?: 'fault'
}

/** Records from `fromMs` until before `toMs`: at most one per quarter of an hour. */
export function historyOf(writes: PointWrites, point: Point, fromMs: number, toMs: number): HistoryRecord[] {
  if (point.historyName === null) return []
  const { template, seed, device } = point
  const deviceSeed = seedOf(device.deviceUuid)
  const valueAt = valuesOf(writes, point)
  const byChange = template.kind !== 'Numeric' || template.onChange === true
  // Samples are taken on the quarter hour, changes at any second.
  const offsetMs = byChange ? (seed % (SAMPLE_MS / 1000)) * 1000 : 0
  const firstMs = Math.max(fromMs, Date.parse(device.createdDate))
  const records: HistoryRecord[] = []
  for (let timeMs = nextSample(firstMs, offsetMs); timeMs < toMs; timeMs += SAMPLE_MS) {
    const value = valueAt(timeMs)
    if (byChange && !isFirstOfDay(timeMs, offsetMs) && value === valueAt(timeMs - SAMPLE_MS)) continue
    if (isGap(deviceSeed, timeMs)) continue
    const isFaulty = chance(seed, timeMs / 1000, 9) < FAULTY_SHARE
    records.push({
      timestamp: new Date(timeMs).toISOString(),
      value,
      ...(isFaulty && { status: 'fault' as const })
    })
  }
  return records
}

function nextSample(fromMs: number, offsetMs: number): number {
  return Math.ceil((fromMs - offsetMs) / SAMPLE_MS) * SAMPLE_MS + offsetMs
}

function isFirstOfDay(timeMs: number, offsetMs: number): boolean {
  return (timeMs - offsetMs) % DAY_MS === 0
}
