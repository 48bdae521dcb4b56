// A year of raw records in Berlin with both clock changes, a month without records and three days of a fault, and the
// value of each minute of that year.
import type { HistoryRecord } from '#shared/answers/points.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'

const MINUTE = 60_000

export const ZONE = 'Europe/Berlin'
export const YEAR = {
  fromMs: Date.parse('2026-01-01T00:00+01:00'),
  toMs: Date.parse('2027-01-01T00:00+01:00')
}
const GAP = { fromMs: Date.parse('2026-06-01T07:00+02:00'), toMs: Date.parse('2026-07-01T13:00+02:00') }
const FAULT = { fromMs: Date.parse('2026-09-10T05:00+02:00'), toMs: Date.parse('2026-09-12T18:00+02:00') }
/** The first and the last day that begins at 00:00 summer time. */
const SUMMER = [Date.UTC(2026, 2, 30), Date.UTC(2026, 9, 25)] as const

interface Recording {
  /** Called for each record: minutes until the next one. */
  stepMinutes: () => number
  value: () => number
}

export function yearOfRecords({ stepMinutes, value }: Recording): HistoryRecord[] {
  const records: HistoryRecord[] = []
  for (let ms = YEAR.fromMs; ms < YEAR.toMs; ms += stepMinutes() * MINUTE) {
    const timestamp = new Date(ms).toISOString()
    if (ms >= FAULT.fromMs && ms < FAULT.toMs) records.push({ timestamp, value: value(), status: 'fault' })
    else if (ms < GAP.fromMs || ms >= GAP.toMs) records.push({ timestamp, value: value() })
  }
  return records
}

/** The days of the year, from midnight to midnight: 363 of 24 hours, one of 23 and one of 25. */
export const DAYS = Array.from({ length: 365 }, (_, day) => {
  const midnight = (date: number) => {
    const utcMs = Date.UTC(2026, 0, date)
    return utcMs - (utcMs >= SUMMER[0] && utcMs <= SUMMER[1] ? 2 : 1) * 60 * MINUTE
  }
  return { fromMs: midnight(day + 1), toMs: midnight(day + 2) }
})

/** The value that holds in each minute of the year; NaN during the fault. */
export function heldEachMinute(records: readonly HistoryRecord[]): Float64Array {
  const values = new Float64Array((YEAR.toMs - YEAR.fromMs) / MINUTE)
  for (const { timestamp, value, status } of records) {
    const firstMinute = (Date.parse(String(timestamp)) - YEAR.fromMs) / MINUTE
    values.fill(status === 'fault' ? Number.NaN : Number(value), firstMinute)
  }
  return values
}

/** The known values of the minutes in a range. */
export function knownIn(values: Float64Array, { fromMs, toMs }: TimeRange): number[] {
  const [first, end] = [(fromMs - YEAR.fromMs) / MINUTE, (toMs - YEAR.fromMs) / MINUTE]
  return [...values.subarray(first, end)].filter((value) => !Number.isNaN(value))
}

export const averageOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length
