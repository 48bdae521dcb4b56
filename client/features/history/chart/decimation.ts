// Reduces samples to the pixels of a chart. If a pixel holds more than a few samples, draws their average, minimum and
// maximum over a round local time, so that no peak is lost. Draws few samples unchanged. All times are in milliseconds.
import { dayStart } from '../../../lib/time/calendar.ts'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { wallDate } from '../../../lib/time/time.ts'
import { firstAt } from '../../../ui/chart/chart-series.ts'
import type { Samples } from './history-samples.ts'

/** Null is a gap; undefined belongs to another line. */
type Values = (number | null | undefined)[]

export interface DrawnLine {
  values: Values
  /** The lowest and highest value of each average; null where samples are drawn unchanged. */
  band: { low: Values; high: Values } | null
}

export interface Drawn {
  /** Ascending, shared by all lines. */
  times: number[]
  lines: DrawnLine[]
  /** The edges of the averaged periods. Null without averages. */
  edges: number[] | null
  bucketMs: number | null
}

export const NOTHING_DRAWN: Drawn = { times: [], lines: [], edges: null, bucketMs: null }

/** Up to this many samples per pixel are drawn unchanged. */
const EXACT_PER_PIXEL = 3
/** An average spans at least this many pixels. */
const BUCKET_PIXELS = 2

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
const steps = (unit: number, ...counts: number[]) => counts.map((count) => count * unit)
const BUCKETS_MS = [
  ...steps(1, 1, 10, 100),
  ...steps(SECOND, 1, 2, 5, 10, 15, 30),
  ...steps(MINUTE, 1, 2, 4, 5, 8, 10, 15, 20, 30),
  ...steps(HOUR, 1, 2, 3, 4, 6, 8, 12),
  ...steps(DAY, 1, 2, 4, 7, 14, 28)
]

export function drawn(all: readonly Samples[], range: TimeRange, pixels: number, zone: string): Drawn {
  const { fromMs, toMs } = range
  const width = Math.max(1, Math.floor(pixels))
  const least = ((toMs - fromMs) / width) * BUCKET_PIXELS
  const bucketMs = BUCKETS_MS.find((ms) => ms >= least) ?? 28 * DAY
  const isMany = ({ times }: Samples) =>
    firstAt(times, toMs) - firstAt(times, fromMs) > EXACT_PER_PIXEL * width
  const many = all.map(isMany)
  if (!many.includes(true))
    return { ...joined(all.map((samples) => exact(samples, range))), edges: null, bucketMs: null }
  // One more period on each side, so that lines reach the edges.
  const edges = edgesOf({ fromMs: fromMs - bucketMs, toMs: toMs + bucketMs }, bucketMs, zone)
  const points = all.map((samples, at) => (many[at] ? averaged(samples, edges) : exact(samples, range)))
  return { ...joined(points), edges, bucketMs }
}

/** The starts of round periods around a range: hours and days of the zone, weeks from Monday. */
export function edgesOf({ fromMs, toMs }: TimeRange, bucketMs: number, zone: string): number[] {
  const edges: number[] = []
  if (bucketMs < HOUR) {
    for (let at = Math.floor(fromMs / bucketMs) * bucketMs; at < toMs + bucketMs; at += bucketMs)
      edges.push(at)
    return edges
  }
  const days = Math.max(1, bucketMs / DAY)
  // Day 0 was a Thursday.
  const day = Math.floor(wallDate(fromMs, zone).getTime() / DAY) + 3
  let start = dayStart(fromMs, zone, -(day % days))
  while (start < toMs) {
    const next = dayStart(start, zone, days)
    // Some days have 23 or 25 hours.
    for (let at = start; at < next && (at === start || next - at >= bucketMs / 2); at += bucketMs)
      edges.push(at)
    start = next
  }
  edges.push(start)
  return edges.slice(Math.max(firstAt(edges, fromMs + 1) - 1, 0), firstAt(edges, toMs) + 1)
}

interface Points {
  times: number[]
  values: (number | null)[]
  band: { low: (number | null)[]; high: (number | null)[] } | null
}

// With one more sample on each side, so that lines reach the edges.
function exact(samples: Samples, { fromMs, toMs }: TimeRange): Points {
  const { times, values, heldUntilMs } = samples
  const points: Points = { times: [], values: [], band: null }
  const push = (time: number, value: number) => {
    points.times.push(time)
    points.values.push(Number.isNaN(value) ? null : value)
  }
  const gapMs = usualGapMs(samples)
  const first = Math.max(firstAt(times, fromMs) - 1, 0)
  const end = Math.min(firstAt(times, toMs) + 1, times.length)
  if (end === first) return points
  let before = times[first] as number
  if (first === 0 && before - gapMs / 2 > fromMs) push(before - gapMs / 2, Number.NaN)
  for (let index = first; index < end; index++) {
    const time = times[index] as number
    if (time - before > gapMs) push((time + before) / 2, Number.NaN)
    push(time, values[index] as number)
    before = time
  }
  if (end < times.length) return points
  const until = Math.min(heldUntilMs ?? before, toMs)
  if (until > before) push(until, values[end - 1] as number)
  if (before + gapMs / 2 < toMs) push(before + gapMs / 2, Number.NaN)
  return points
}

function averaged(samples: Samples, edges: readonly number[]): Points {
  const { times, values } = samples
  const gapMs = usualGapMs(samples)
  const band = { low: [] as (number | null)[], high: [] as (number | null)[] }
  const points: Points = { times: [], values: [], band }
  let first = firstAt(times, edges[0] as number)
  for (let at = 1; at < edges.length; at++) {
    const [from, to] = [edges[at - 1] as number, edges[at] as number]
    const end = firstAt(times, to)
    const isOutside = first === 0 || first === times.length
    const isGap = isOutside || (times[first] as number) - (times[first - 1] as number) > gapMs
    const found = extremes(values, first, end)
    if (end > first || isGap) {
      points.times.push((from + to) / 2)
      points.values.push(found?.average ?? null)
      band.low.push(found?.low ?? null)
      band.high.push(found?.high ?? null)
    }
    first = end
  }
  return points
}

export interface Extremes {
  low: number
  high: number
  average: number
}

// This loop visits every sample, so it does the least possible. Null if no record has a number.
export function extremes(values: Float64Array, from: number, to: number): Extremes | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [sum, count] = [0, 0]
  for (let index = from; index < to; index++) {
    const value = values[index] as number
    if (Number.isNaN(value)) continue
    if (value < low) low = value
    if (value > high) high = value
    sum += value
    count += 1
  }
  if (count === 0) return null
  // Sums of the largest numbers are infinite.
  return { low, high, average: Number.isFinite(sum) ? sum / count : low / 2 + high / 2 }
}

/** Puts all lines on shared times. */
function joined(all: readonly Points[]): Pick<Drawn, 'times' | 'lines'> {
  const times = [...new Set(all.flatMap((points) => points.times))].sort((a, b) => a - b)
  const places = new Map(times.map((time, place) => [time, place]))
  const lines = all.map(({ times: own, values, band }): DrawnLine => {
    const shared = (some: Points['values']) => {
      const spread: Values = Array(times.length).fill(undefined)
      for (const [at, time] of own.entries()) spread[Number(places.get(time))] = some[at]
      return spread
    }
    return { values: shared(values), band: band && { low: shared(band.low), high: shared(band.high) } }
  })
  return { times, lines }
}

const GAP_FACTOR = 3.5
const GAP_SAMPLES = 2_000

/** The longest time that a line bridges. Infinite if values hold, or with too few samples to tell. */
function usualGapMs({ times, heldUntilMs }: Samples): number {
  const stride = Math.max(1, Math.floor((times.length - 1) / GAP_SAMPLES))
  const count = Math.floor((times.length - 1) / stride)
  if (heldUntilMs !== null || count < 3) return Number.POSITIVE_INFINITY
  const apart = Float64Array.from({ length: count }, (_, step) => {
    const at = step * stride
    return (times[at + 1] as number) - (times[at] as number)
  }).sort()
  return GAP_FACTOR * (apart[Math.floor(count / 2)] as number)
}
