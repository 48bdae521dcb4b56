// Moves a value beyond its limit while an alarm about it lasts.
import { type Occurrence, occurrencesBetween } from './alarm-times.ts'
import { EQUIPMENT_OF } from './equipment.ts'
import type { Point } from './points.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const RAMP_MS = 2 * HOUR_MS
const LONGEST_MS = 9 * DAY_MS
const BEYOND = 0.06

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
  const beyond = BEYOND * (template.high - template.low) * (limit.side === 'high' ? 1 : -1)
  const days = new Map<number, Occurrence[]>()
  const ofDay = (day: number) => {
    const cached = days.get(day)
    const found =
      cached ??
      occurrencesBetween(device, day * DAY_MS - LONGEST_MS, (day + 1) * DAY_MS + RAMP_MS).filter(
        (one) => one.definition === definition
      )
    days.set(day, found)
    return found
  }
  return (timeMs, value) => {
    for (const { startMs, endMs } of ofDay(Math.floor(timeMs / DAY_MS))) {
      const lead = Math.min((timeMs - startMs) / RAMP_MS, (endMs - timeMs) / RAMP_MS)
      if (lead < -1) continue
      const over = Math.sin((Math.PI * Math.max(0, timeMs - startMs)) / (endMs - startMs))
      return lead < 0 ? value + (1 + lead) * (limit.value - value) : limit.value + beyond * Math.max(over, 0)
    }
    return value
  }
}
