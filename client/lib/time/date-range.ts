// Checks and names time ranges.
import { RANGE_MAX_MS, type TimeRange } from '#shared/time/date-ranges.ts'
import { formatMoment } from './time.ts'

/** Why a typed range is invalid; null if it is valid. */
export function rangeProblem(fromMs: number | null, toMs: number | null, nowMs: number): string | null {
  if (fromMs === null) return 'Enter the day and time at which it begins.'
  if (toMs === null) return 'Enter the day and time at which it ends.'
  if (fromMs >= toMs) return 'The range must end after it begins.'
  if (fromMs > nowMs) return 'The range lies in the future.'
  return toMs - fromMs > RANGE_MAX_MS ? 'The range is longer than five years.' : null
}

/** "01-Jun-2026 00:00 to 30-Jun-2026 12:00". */
export function rangeText({ fromMs, toMs }: TimeRange, zone: string): string {
  return `${formatMoment(fromMs, zone)} to ${formatMoment(toMs, zone)}`
}
