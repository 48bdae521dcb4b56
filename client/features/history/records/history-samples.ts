// Recorded values as they come, made into samples that a chart and a table can rely on: ascending, one at a time,
// within the range. What had to be put right is counted, so that it can be said.

import type { TimeRange } from '../../../lib/time/date-range.ts'
import { chartValue, type Point } from '../../points/point.ts'

export interface HistoryRecord {
  timestamp?: unknown
  value?: unknown
  status?: unknown
}

export interface Samples {
  /** Milliseconds, ascending, each once. */
  times: Float64Array
  /** NaN where a record has no value that can be drawn. */
  values: Float64Array
}

export interface Findings {
  /** Records of the same time: the last one counts. */
  duplicates: number
  unsorted: boolean
  /** Without a time that can be read. */
  unreadable: number
  /** Before or after what was asked for. */
  outside: number
  /** In the future of the gateway's clock. */
  future: number
  /** NaN, infinite or no number. */
  valueless: number
}

export interface History extends Samples {
  findings: Findings
}

export const NO_SAMPLES: Samples = { times: new Float64Array(0), values: new Float64Array(0) }
/** A clock may be a little ahead. */
const FUTURE_MS = 300_000

export interface Collector {
  add(records: readonly HistoryRecord[]): void
  finish(): History
}

type Valued = Pick<Point, 'kind' | 'texts' | 'trueText' | 'falseText'>

/** Takes records part by part. */
export function createCollector(point: Valued, range: TimeRange, nowMs: number): Collector {
  let times = new Float64Array(1024)
  let values = new Float64Array(1024)
  let size = 0
  let ascending = true
  const findings: Findings = {
    duplicates: 0,
    unsorted: false,
    unreadable: 0,
    outside: 0,
    future: 0,
    valueless: 0
  }

  function push(time: number, value: number) {
    if (size === times.length) {
      times = grown(times)
      values = grown(values)
    }
    const last = size === 0 ? Number.NEGATIVE_INFINITY : (times[size - 1] as number)
    if (time <= last) ascending = false
    if (time < last) findings.unsorted = true
    times[size] = time
    values[size] = value
    size += 1
  }

  return {
    add(records) {
      for (const { timestamp, value } of records) {
        const time = typeof timestamp === 'number' ? timestamp : Date.parse(String(timestamp))
        if (!Number.isFinite(time)) findings.unreadable += 1
        else if (time < range.fromMs || time >= range.toMs) findings.outside += 1
        else {
          const number = chartValue(point, value)
          if (Number.isNaN(number)) findings.valueless += 1
          if (time > nowMs + FUTURE_MS) findings.future += 1
          push(time, number)
        }
      }
    },
    finish() {
      const ordered = ascending
        ? { times: times.slice(0, size), values: values.slice(0, size) }
        : sorted(times.subarray(0, size), values.subarray(0, size))
      return { ...ordered, findings: { ...findings, duplicates: size - ordered.times.length } }
    }
  }
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2)
  larger.set(array)
  return larger
}

// Stable, so that of two records of one time the later one comes last and is the one that is kept.
function sorted(times: Float64Array, values: Float64Array): Samples {
  const order = Array.from(times, (_, index) => index).sort((a, b) => at(times, a) - at(times, b) || a - b)
  const kept = order.filter((index, place) => {
    const next = order[place + 1]
    return next === undefined || at(times, next) !== at(times, index)
  })
  return {
    times: Float64Array.from(kept, (index) => at(times, index)),
    values: Float64Array.from(kept, (index) => at(values, index))
  }
}

function at(array: Float64Array, index: number): number {
  return array[index] as number
}

/** What a person should know about the records of a point, in sentences. */
export function findingTexts(findings: Findings): string[] {
  const { duplicates, unsorted, unreadable, outside, future, valueless } = findings
  const records = (count: number) => `${count.toLocaleString('en')} record${count === 1 ? '' : 's'}`
  return [
    ...(unsorted ? ['The records came out of order and were sorted.'] : []),
    ...(duplicates > 0
      ? [`${records(duplicates)} of a time that another one has: the last one counts.`]
      : []),
    ...(unreadable > 0 ? [`${records(unreadable)} without a readable time left out.`] : []),
    ...(outside > 0 ? [`${records(outside)} outside of the range left out.`] : []),
    ...(future > 0 ? [`${records(future)} in the future: the clock of the device may be wrong.`] : []),
    ...(valueless > 0 ? [`${records(valueless)} without a number, drawn as gaps.`] : [])
  ]
}

/** The first index whose time is not before `ms`. */
export function firstAt(times: Float64Array, ms: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < ms) low = middle + 1
    else high = middle
  }
  return low
}

/** The value recorded at exactly that time; null when none was. */
export function valueAt({ times, values }: Samples, ms: number): number | null {
  const index = firstAt(times, ms)
  return times[index] === ms ? (values[index] as number) : null
}

/** The index whose time is closest. */
export function nearest(times: Float64Array, ms: number): number {
  const after = firstAt(times, ms)
  if (after === 0) return 0
  if (after === times.length) return times.length - 1
  return ms - (times[after - 1] as number) <= (times[after] as number) - ms ? after - 1 : after
}

/** Every time at which any of them has a record, ascending, each once. */
export function unionTimes(all: readonly Samples[], { fromMs, toMs }: TimeRange): Float64Array {
  const parts = all.map(({ times }) => times.subarray(firstAt(times, fromMs), firstAt(times, toMs)))
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let size = 0
  for (const part of parts) {
    joined.set(part, size)
    size += part.length
  }
  joined.sort()
  let kept = 0
  for (const time of joined) if (kept === 0 || joined[kept - 1] !== time) joined[kept++] = time
  return joined.slice(0, kept)
}
