// What of many samples is drawn in so many pixels: where a pixel holds more than a few of them, their average over a round
// time, with the lowest and the highest of it, so that no peak is lost. Few samples are drawn as they are.
import { firstAt, type Samples } from '../records/history-samples.ts'

export interface DrawnSeries extends Samples {
  /** Further apart, two samples are not joined; infinite where values hold until they change. */
  gapMs: number
  /** Until when the last value holds; null where it says nothing about the time after it. */
  heldUntilMs: number | null
}

export function drawnSeries(samples: Samples, heldUntilMs: number | null): DrawnSeries {
  return {
    ...samples,
    gapMs: heldUntilMs === null ? usualGapMs(samples) : Number.POSITIVE_INFINITY,
    heldUntilMs
  }
}

/** Null is a gap; undefined belongs to another series, and is drawn through. */
type Values = (number | null | undefined)[]

export interface DrawnLine {
  values: Values
  /** Of what each value is the average of; null where the samples are drawn as they are. */
  band: { low: Values; high: Values } | null
}

export interface Drawn {
  /** Seconds, ascending: the unit of the chart. */
  times: number[]
  lines: DrawnLine[]
  /** The time that an average is of, in milliseconds; null where nothing is averaged. */
  bucketMs: number | null
}

export const NOTHING_DRAWN: Drawn = { times: [], lines: [], bucketMs: null }

/** So many samples for each pixel are drawn as they are. */
const EXACT_PER_PIXEL = 3
/** An average is of at least so many pixels: a line of one for each is a band itself. */
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

export function drawn(all: readonly DrawnSeries[], fromMs: number, toMs: number, pixels: number): Drawn {
  const width = Math.max(1, Math.floor(pixels))
  const least = ((toMs - fromMs) / width) * BUCKET_PIXELS
  const bucketMs = BUCKETS_MS.find((ms) => ms >= least) ?? least
  const parts = all.map((series) => partOf(series, fromMs, toMs))
  const many = parts.map(({ first, end }) => end - first > EXACT_PER_PIXEL * width)
  const points = all.map((series, index) => {
    const part = parts[index] as Part
    return many[index] ? averaged(series, part, bucketMs) : exact(series, part, toMs)
  })
  return { ...joined(points), bucketMs: many.includes(true) ? bucketMs : null }
}

interface Part {
  first: number
  end: number
}

interface Points {
  times: number[]
  values: (number | null)[]
  band: { low: (number | null)[]; high: (number | null)[] } | null
}

// With a sample more on either side, for the line that leads there.
function partOf({ times }: Samples, fromMs: number, toMs: number): Part {
  return {
    first: Math.max(firstAt(times, fromMs) - 1, 0),
    end: Math.min(firstAt(times, toMs) + 1, times.length)
  }
}

function exact(
  { times, values, gapMs, heldUntilMs }: DrawnSeries,
  { first, end }: Part,
  toMs: number
): Points {
  const points: Points = { times: [], values: [], band: null }
  const push = (time: number, value: number) => {
    points.times.push(time)
    points.values.push(Number.isNaN(value) ? null : value)
  }
  let before = times[first] ?? 0
  for (let index = first; index < end; index++) {
    const time = times[index] as number
    if (time - before > gapMs) push((time + before) / 2, Number.NaN)
    push(time, values[index] as number)
    before = time
  }
  const until = Math.min(heldUntilMs ?? before, toMs)
  if (end > first && end === times.length && until > before) push(until, values[end - 1] as number)
  return points
}

// On a shared grid all series meet at the same times, however many there are.
function averaged({ times, values, gapMs }: DrawnSeries, { first, end }: Part, bucketMs: number): Points {
  const band = { low: [] as (number | null)[], high: [] as (number | null)[] }
  const points: Points = { times: [], values: [], band }
  const push = (time: number, seen: Extremes | null) => {
    points.times.push(time)
    points.values.push(seen?.average ?? null)
    band.low.push(seen?.low ?? null)
    band.high.push(seen?.high ?? null)
  }
  let before = times[first] as number
  let index = first
  while (index < end) {
    const start = times[index] as number
    const bucket = Math.floor(start / bucketMs)
    const next = endOfBucket(times, index, end, (bucket + 1) * bucketMs)
    // Between two averages: no time that another series has one at.
    if (start - before > gapMs) push(bucket * bucketMs, null)
    before = times[next - 1] as number
    push((bucket + 0.5) * bucketMs, extremes(values, index, next))
    index = next
  }
  return points
}

// Steps that double, then halves: buckets hold anything from one sample to thousands.
function endOfBucket(times: Float64Array, index: number, end: number, limitMs: number): number {
  let step = 1
  let low = index + 1
  while (low + step < end && (times[low + step] as number) < limitMs) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, end)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < limitMs) low = middle + 1
    else high = middle
  }
  return low
}

export interface Extremes {
  low: number
  high: number
  average: number
}

// The one loop that meets every sample: nothing in it that it can do without. Null where no record has a number.
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

function joined(all: readonly Points[]): Pick<Drawn, 'times' | 'lines'> {
  const times: number[] = []
  const lines = all.map(({ band }): DrawnLine => ({ values: [], band: band && { low: [], high: [] } }))
  const next = all.map(() => 0)
  for (;;) {
    let time = Number.POSITIVE_INFINITY
    for (let series = 0; series < all.length; series++) {
      const own = (all[series] as Points).times[next[series] as number]
      if (own !== undefined && own < time) time = own
    }
    if (time === Number.POSITIVE_INFINITY) return { times, lines }
    times.push(time / 1000)
    for (let series = 0; series < all.length; series++) {
      const { times: own, values, band } = all[series] as Points
      const line = lines[series] as DrawnLine
      const at = next[series] as number
      const meets = own[at] === time
      line.values.push(meets ? values[at] : undefined)
      line.band?.low.push(meets ? band?.low[at] : undefined)
      line.band?.high.push(meets ? band?.high[at] : undefined)
      if (meets) next[series] = at + 1
    }
  }
}

const GAP_FACTOR = 3.5
const GAP_SAMPLES = 2_000

/** Further apart than samples usually are: a time without records. Infinite where there are too few to tell. */
export function usualGapMs({ times }: Samples): number {
  const steps: number[] = []
  const stride = Math.max(1, Math.floor((times.length - 1) / GAP_SAMPLES))
  for (let index = 1; index < times.length; index += stride)
    steps.push((times[index] as number) - (times[index - 1] as number))
  if (steps.length < 3) return Number.POSITIVE_INFINITY
  steps.sort((a, b) => a - b)
  return GAP_FACTOR * (steps[Math.floor(steps.length / 2)] as number)
}
