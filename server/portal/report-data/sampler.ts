// Turns the records of a point into samples, part by part. Numbers wait until it is known whether they hold until the next record.
import { ENOUGH_RECORDS, INSPECTED_MS, wasRecordedOnChange } from '#shared/history/on-change.ts'
import { type Samples, sampleOf, type TimesAndValues } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import type { FoundPoint } from './points.ts'
import type { PointRecord } from './records.ts'

interface SamplerOptions {
  range: TimeRange
  /** Until when the last value is known to hold. */
  endMs: number
}

/** @param before the last records before the range, in the order of time */
export function createSampler(
  { type }: Pick<FoundPoint, 'type'>,
  before: readonly PointRecord[],
  { range, endMs }: SamplerOptions
) {
  const earlierSamples = samplesOf(before)
  /** The last sample that was returned, because it may hold, and those that were not. */
  let samples = last(earlierSamples)
  let isOnChange = type.kind === 'Numeric' ? null : true

  function samplesOf(records: readonly PointRecord[]): TimesAndValues {
    // Of records with the same time, the last one counts.
    const distinct = records.filter(({ ms }, at) => records[at + 1]?.ms !== ms)
    return {
      times: Float64Array.from(distinct, ({ ms }) => ms),
      values: Float64Array.from(distinct, (record) => sampleOf(type, record))
    }
  }

  function decide(untilMs: number): boolean | null {
    const ownStart = last(earlierSamples).times.length
    const times = samples.times.subarray(ownStart)
    const fromMs = ownStart > 0 ? range.fromMs : times[0]
    // A point without any record has no values to decide about.
    if (fromMs === undefined) return null
    const isEnough = times.length >= ENOUGH_RECORDS || untilMs >= Math.min(fromMs + INSPECTED_MS, range.toMs)
    if (!isEnough) return null
    const within = { times, values: samples.values.subarray(ownStart) }
    return wasRecordedOnChange(within, earlierSamples, range.fromMs)
  }

  return {
    /** The samples of these records and the last one before them; null until it is known whether they hold. */
    read(records: readonly PointRecord[], untilMs: number): Samples | null {
      samples = joined(samples, samplesOf(records))
      isOnChange ??= decide(untilMs)
      if (isOnChange === null && samples.times.length > 0) return null
      const read = { ...samples, validUntilMs: isOnChange ? Math.min(untilMs, endMs) : null }
      samples = last(samples)
      return read
    }
  }
}

const last = ({ times, values }: TimesAndValues): TimesAndValues => ({
  times: times.slice(-1),
  values: values.slice(-1)
})

const joined = (a: TimesAndValues, b: TimesAndValues): TimesAndValues => ({
  times: Float64Array.of(...a.times, ...b.times),
  values: Float64Array.of(...a.values, ...b.values)
})
