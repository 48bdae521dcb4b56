// Moves a point's value beyond its limit while an alarm about the point lasts.
import { type Occurrence, occurrencesBetween } from './alarm-times.ts'
import { EQUIPMENT_OF } from './equipment.ts'
import type { Point } from './points.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const RAMP_MS = 2 * HOUR_MS
const DURATION_MAX_MS = 9 * DAY_MS
const EXCESS_SHARE = 0.06

export function excursionsOf({
  template,
  device,
  displayName
}: Point): (timeMs: number, value: number) => number {
  const definition = EQUIPMENT_OF[device.equipment].alarms.find(
    ({ source, limit }) => source === displayName && limit
  )
  const limit = definition?.limit
  if (template.kind !== 'Numeric' || !limit) return (_, value) => value
  const excess = EXCESS_SHARE * (template.high - template.low) * (limit.side === 'high' ? 1 : -1)
  const days = new Map<number, Occurrence[]>()
  const occurrencesOf = (day: number) => {
    const cachedOccurrences = days.get(day)
    const occurrences =
      cachedOccurrences ??
      occurrencesBetween(device, day * DAY_MS - DURATION_MAX_MS, (day + 1) * DAY_MS + RAMP_MS).filter(
        (excursion) => excursion.definition === definition
      )
    days.set(day, occurrences)
    return occurrences
  }
  return (timeMs, value) => {
    for (const { startMs, endMs } of occurrencesOf(Math.floor(timeMs / DAY_MS))) {
      const lead = Math.min((timeMs - startMs) / RAMP_MS, (endMs - timeMs) / RAMP_MS)
      if (lead < -1) continue
      const curve = Math.sin((Math.PI * Math.max(0, timeMs - startMs)) / (endMs - startMs))
      return lead < 0 ? value + (1 + lead) * (limit.value - value) : limit.value + excess * Math.max(curve, 0)
    }
    return value
  }
}
