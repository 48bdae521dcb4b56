// Reduces samples to the pixels of a chart. If a pixel covers more than a few samples, draws their average, minimum and
// maximum over a round local time, so that no peak is lost. Values that hold are weighted by time. States that change too
// often for a pixel become the share of each state in such a time. Draws few samples unchanged. All times are in
// milliseconds.

import type { Samples } from '#shared/history/samples.ts'
import { durationsIn, type StateRun, stateRuns } from '#shared/history/state-runs.ts'
import { extremes, statisticsOf } from '#shared/history/statistics.ts'
import { edgesOf, type TimeRange } from '#shared/time/date-ranges.ts'
import { firstAt } from '#shared/time/first-at.ts'

/** Null is a gap; undefined is a time of another line. */
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
/** An average spans at least this many pixels. Steps of values that hold are drawn unchanged if they are as wide. */
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
  const width = Math.max(1, Math.floor(pixels))
  const isAveraged = all.map((samples) => needsAverages(samples, range, width))
  if (!isAveraged.includes(true))
    return { ...joined(all.map((samples) => exactPoints(samples, range))), edges: null, bucketMs: null }
  const bucketMs = bucketFor(range, width)
  // One more period on each side, so that lines reach the edges.
  const edges = edgesOf({ fromMs: range.fromMs - bucketMs, toMs: range.toMs + bucketMs }, bucketMs, zone)
  const points = all.map((samples, at) =>
    isAveraged[at] ? averagedPoints(samples, edges) : exactPoints(samples, range)
  )
  return { ...joined(points), edges, bucketMs }
}

function needsAverages(
  { times, validUntilMs }: Samples,
  { fromMs, toMs }: TimeRange,
  width: number
): boolean {
  const exactMax = validUntilMs === null ? EXACT_PER_PIXEL * width : width / BUCKET_PIXELS
  return firstAt(times, toMs) - firstAt(times, fromMs) > exactMax
}

/** The shortest round period that spans enough pixels. */
function bucketFor({ fromMs, toMs }: TimeRange, width: number): number {
  const minBucketMs = ((toMs - fromMs) / width) * BUCKET_PIXELS
  return BUCKETS_MS.find((ms) => ms >= minBucketMs) ?? 28 * DAY
}

/** A stretch of a lane: one state, or the part of one among the states of a period. */
export interface LaneSegment {
  fromMs: number
  toMs: number
  /** NaN if there is no value. */
  value: number
  /** The lower and upper edge of the segment, as shares of the lane's height. */
  bottom: number
  top: number
}

/** The runs of a state; if the state changes too often for the pixels, its shares of round periods, the lowest value below. */
export function drawnLane(
  samples: Samples,
  range: TimeRange,
  pixels: number,
  zone: string
): readonly LaneSegment[] {
  const width = Math.max(1, Math.floor(pixels))
  const runs = stateRuns(samples, range)
  const shortestMs = (range.toMs - range.fromMs) / width
  const isShort = ({ fromMs, toMs }: StateRun) => toMs - fromMs < shortestMs
  const changesTooOften = runs.some((run, at) => {
    const nextRun = runs[at + 1]
    return isShort(run) && nextRun !== undefined && isShort(nextRun)
  })
  if (!changesTooOften) return runs.map((run) => ({ ...run, bottom: 0, top: 1 }))
  return laneShares(runs, edgesOf(range, bucketFor(range, width), zone))
}

function laneShares(runs: readonly StateRun[], edges: readonly number[]): LaneSegment[] {
  const segments: LaneSegment[] = []
  const startMs = runs[0]?.fromMs ?? 0
  const endMs = runs.at(-1)?.toMs ?? 0
  let firstRun = 0
  for (let at = 1; at < edges.length; at++) {
    const fromMs = Math.max(edges[at - 1] as number, startMs)
    const toMs = Math.min(edges[at] as number, endMs)
    if (fromMs >= toMs) continue
    while ((runs[firstRun] as StateRun).toMs <= fromMs) firstRun += 1
    let bottom = 0
    for (const [value, ms] of durationsIn(runs, { fromMs, toMs }, firstRun)) {
      const top = bottom + ms / (toMs - fromMs)
      const lastSegment = segments.at(-1)
      const continues = lastSegment?.toMs === fromMs && isWhole(lastSegment) && lastSegment.value === value
      if (ms === toMs - fromMs && continues) lastSegment.toMs = toMs
      else segments.push({ fromMs, toMs, value, bottom, top })
      bottom = top
    }
  }
  return segments
}

const isWhole = ({ bottom, top }: LaneSegment) => bottom === 0 && top === 1

interface Points {
  times: number[]
  values: (number | null)[]
  band: { low: (number | null)[]; high: (number | null)[] } | null
}

// Adds one sample on each side of the range, so that lines reach the edges.
function exactPoints(samples: Samples, { fromMs, toMs }: TimeRange): Points {
  const { times, values, validUntilMs } = samples
  const points: Points = { times: [], values: [], band: null }
  const push = (time: number, value: number) => {
    points.times.push(time)
    points.values.push(Number.isNaN(value) ? null : value)
  }
  const gapMs = bridgedGapMs(samples)
  const firstIndex = Math.max(firstAt(times, fromMs) - 1, 0)
  const end = Math.min(firstAt(times, toMs) + 1, times.length)
  if (end === firstIndex) return points
  let lastMs = times[firstIndex] as number
  if (firstIndex === 0 && lastMs - gapMs / 2 > fromMs) push(lastMs - gapMs / 2, Number.NaN)
  for (let index = firstIndex; index < end; index++) {
    const time = times[index] as number
    if (time - lastMs > gapMs) push((time + lastMs) / 2, Number.NaN)
    push(time, values[index] as number)
    lastMs = time
  }
  if (end < times.length) return points
  const validEndMs = Math.min(validUntilMs ?? lastMs, toMs)
  if (validEndMs > lastMs) push(validEndMs, values[end - 1] as number)
  if (lastMs + gapMs / 2 < toMs) push(lastMs + gapMs / 2, Number.NaN)
  return points
}

function averagedPoints(samples: Samples, edges: readonly number[]): Points {
  const { times, values, validUntilMs } = samples
  if (validUntilMs !== null) return weightedAverages(samples, edges)
  const gapMs = bridgedGapMs(samples)
  const band = { low: [] as (number | null)[], high: [] as (number | null)[] }
  const points: Points = { times: [], values: [], band }
  let firstIndex = firstAt(times, edges[0] as number)
  for (let at = 1; at < edges.length; at++) {
    const [from, to] = [edges[at - 1] as number, edges[at] as number]
    const end = firstAt(times, to)
    const isOutside = firstIndex === 0 || firstIndex === times.length
    const isGap = isOutside || (times[firstIndex] as number) - (times[firstIndex - 1] as number) > gapMs
    const bucket = extremes(values, firstIndex, end)
    if (end > firstIndex || isGap) {
      points.times.push((from + to) / 2)
      points.values.push(bucket?.average ?? null)
      band.low.push(bucket?.low ?? null)
      band.high.push(bucket?.high ?? null)
    }
    firstIndex = end
  }
  return points
}

function weightedAverages(samples: Samples, edges: readonly number[]): Points {
  const band = { low: [] as (number | null)[], high: [] as (number | null)[] }
  const points: Points = { times: [], values: [], band }
  for (let at = 1; at < edges.length; at++) {
    const [fromMs, toMs] = [edges[at - 1] as number, edges[at] as number]
    const { average, min, max } = statisticsOf(samples, { fromMs, toMs })
    points.times.push((fromMs + toMs) / 2)
    points.values.push(average)
    band.low.push(min)
    band.high.push(max)
  }
  return points
}

/** Aligns all lines to shared times. */
function joined(all: readonly Points[]): Pick<Drawn, 'times' | 'lines'> {
  const times = [...new Set(all.flatMap((points) => points.times))].sort((a, b) => a - b)
  const indexes = new Map(times.map((time, index) => [time, index]))
  const lines = all.map(({ times: lineTimes, values, band }): DrawnLine => {
    const align = (lineValues: Points['values']) => {
      const alignedValues: Values = Array(times.length).fill(undefined)
      for (const [at, time] of lineTimes.entries()) alignedValues[Number(indexes.get(time))] = lineValues[at]
      return alignedValues
    }
    return { values: align(values), band: band && { low: align(band.low), high: align(band.high) } }
  })
  return { times, lines }
}

/** The times within a range that the samples say nothing about: the gaps of a line, and the time before and after it. */
export function gapsIn(samples: Samples, { fromMs, toMs }: TimeRange): TimeRange[] {
  const { times, validUntilMs } = samples
  const first = Math.max(firstAt(times, fromMs + 1) - 1, 0)
  const known = times.subarray(first, firstAt(times, toMs))
  const gapMs = validUntilMs === null ? bridgedGapMs(samples) : 0
  const gaps: TimeRange[] = []
  const add = (startMs: number, endMs: number) => {
    if (endMs - startMs > gapMs) gaps.push({ fromMs: Math.max(startMs, fromMs), toMs: endMs })
  }
  if (known.length === 0) return [{ fromMs, toMs }]
  add(fromMs, known[0] as number)
  if (validUntilMs === null)
    for (let at = 1; at < known.length; at++) add(known[at - 1] as number, known[at] as number)
  add(validUntilMs ?? (known.at(-1) as number), toMs)
  return gaps
}

const GAP_FACTOR = 3.5
const GAP_SAMPLES = 2_000

/** The longest gap that a line bridges. Infinite if values hold, or with too few samples to tell. */
function bridgedGapMs({ times, validUntilMs }: Samples): number {
  const stride = Math.max(1, Math.floor((times.length - 1) / GAP_SAMPLES))
  const count = Math.floor((times.length - 1) / stride)
  if (validUntilMs !== null || count < 3) return Number.POSITIVE_INFINITY
  const gapsMs = Float64Array.from({ length: count }, (_, step) => {
    const at = step * stride
    return (times[at + 1] as number) - (times[at] as number)
  }).sort()
  return GAP_FACTOR * (gapsMs[Math.floor(count / 2)] as number)
}
