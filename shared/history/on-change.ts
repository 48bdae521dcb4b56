// Tells numbers that were recorded on change from measured ones. A number that was recorded on change holds until the next
// record; nothing is known about the time between two measurements. States always hold.
import { firstAt } from '../time/first-at.ts'
import type { TimesAndValues } from './samples.ts'

/** Minimum number of records that show whether their intervals are regular. */
export const FEW_RECORDS = 8
/** Maximum number of records that are inspected: a measured point has so many within a day or two. */
export const ENOUGH_RECORDS = 100
/** Records are inspected for this long, so that a stream of records need not wait longer for the decision. */
export const INSPECTED_MS = 7 * 86_400_000
/** Intervals are equal if they differ by at most this share, and by at most a minute: set points often change at like hours. */
const TOLERANCE = 0.1
const TOLERANCE_MAX_MS = 60_000
/** Records are regular if this share of intervals is equal. */
const REGULAR_SHARE = 0.6
/** Values were recorded on change if this share of records differs from the previous record. */
const CHANGED_SHARE = 0.5

/** Days before a range in which to search for the last earlier record, in turn: the value that holds at its beginning. */
export const NUMBER_DAYS_BEFORE: readonly number[] = [1, 7]
export const STATE_DAYS_BEFORE: readonly number[] = [...NUMBER_DAYS_BEFORE, 30, 90, 365]

/**
 * Whether the numbers of a range were recorded on change. Decides from the first records of the range; if they are few, also
 * from the last ones before it.
 * @param within records of the range, at least those of the inspected time
 * @param before the last records before the range; null if they have not been read
 * @returns null if the records before the range are needed to tell
 */
export function wasRecordedOnChange(
  within: TimesAndValues,
  before: TimesAndValues | null,
  fromMs: number
): boolean | null {
  const first = inspected(within, fromMs)
  if (first.times.length >= FEW_RECORDS) return isOnChange(first)
  if (before === null) return null
  // Without earlier records, the point was recorded only from a later time on.
  if (before.times.length === 0) return isOnChange(inspected(within, within.times[0] ?? fromMs))
  return isOnChange({
    times: Float64Array.of(...before.times.subarray(-ENOUGH_RECORDS), ...first.times),
    values: Float64Array.of(...before.values.subarray(-ENOUGH_RECORDS), ...first.values)
  })
}

/** The first records since a time. */
function inspected({ times, values }: TimesAndValues, fromMs: number): TimesAndValues {
  const start = firstAt(times, fromMs)
  const end = Math.min(firstAt(times, fromMs + INSPECTED_MS), start + ENOUGH_RECORDS)
  return { times: times.subarray(start, end), values: values.subarray(start, end) }
}

/** Whether all these numbers were recorded on change: at irregular intervals, and mostly with another value. */
function isOnChange({ times, values }: TimesAndValues): boolean {
  const steps = times.length - 1
  if (steps < 2) return true
  const intervals = Float64Array.from({ length: steps }, (_, at) => (times[at + 1] ?? 0) - (times[at] ?? 0))
  const median = intervals.toSorted()[Math.floor(steps / 2)] ?? 0
  const toleranceMs = Math.min(TOLERANCE * median, TOLERANCE_MAX_MS)
  const regularCount = intervals.filter((step) => Math.abs(step - median) <= toleranceMs).length
  if (regularCount / steps >= REGULAR_SHARE) return false
  let changedCount = 0
  for (let at = 1; at <= steps; at++) if (values[at] !== values[at - 1]) changedCount += 1
  return changedCount / steps >= CHANGED_SHARE
}
