// Samples of a point: its records as numbers, in ascending order, one for each time.
import type { HistoryRecord } from '../answers/points.ts'
import { firstAt } from '../time/first-at.ts'
import { chartValue, isValidStatus, type PointType } from './point-type.ts'

export interface TimesAndValues {
  /** In milliseconds, ascending, without duplicates. */
  times: Float64Array
  /** NaN if a record has no valid value. */
  values: Float64Array
}

export interface Samples extends TimesAndValues {
  /** The time until which the last value holds, in milliseconds; null if values do not hold. */
  validUntilMs: number | null
}

export const NO_SAMPLES: Samples = {
  times: new Float64Array(0),
  values: new Float64Array(0),
  validUntilMs: null
}

/** The time of a record in milliseconds; NaN if it is not readable. */
export function timeOf({ timestamp }: Partial<Pick<HistoryRecord, 'timestamp'>>): number {
  return typeof timestamp === 'number' ? timestamp : Date.parse(String(timestamp))
}

/** The value of a record on a chart; NaN for a fault, and without a number or state. */
export function sampleOf(
  point: PointType,
  { value, status }: { value?: unknown; status?: string | null }
): number {
  return isValidStatus(status) ? chartValue(point, value) : Number.NaN
}

/** The value of the last record at or before a time; null if it is not known to hold until then. */
export function valueAt({ times, values, validUntilMs }: Samples, ms: number): number | null {
  const index = firstAt(times, ms + 1) - 1
  return index < 0 || ms > (validUntilMs ?? Number(times[index])) ? null : (values[index] as number)
}
