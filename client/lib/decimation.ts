// What of many samples is drawn in so many pixels: of each series and pixel the first, the lowest, the highest and the last,
// so that no peak is lost and lines go in and out where they did. Few samples are drawn as they are.
import { firstAt, type Samples } from './history-samples.ts'

export interface DrawnSeries extends Samples {
  /** Further apart, two samples are not joined; infinite for states, which hold until they change. */
  gapMs: number
}

/** States hold until they change; numbers are not joined over a time without records. */
export function drawnSeries(samples: Samples, holds: boolean): DrawnSeries {
  return { ...samples, gapMs: holds ? Number.POSITIVE_INFINITY : usualGapMs(samples) }
}

export interface Drawn {
  /** Seconds, ascending: the unit of the chart. */
  times: number[]
  /** Null is a gap; undefined belongs to another series, and is drawn through. */
  values: (number | null | undefined)[][]
  /** Whether samples were left out. */
  decimated: boolean
}

/** So many samples for each pixel are drawn as they are. */
const EXACT_PER_PIXEL = 2

export function drawn(all: readonly DrawnSeries[], fromMs: number, toMs: number, pixels: number): Drawn {
  const width = Math.max(1, Math.floor(pixels))
  const parts = all.map((series) => partOf(series, fromMs, toMs))
  const many = parts.map(({ first, end }) => end - first > EXACT_PER_PIXEL * width)
  const points = all.map((series, index) => {
    const part = parts[index] as Part
    return many[index] ? thinned(series, part, fromMs, toMs, width) : exact(series, part)
  })
  return { ...joined(points), decimated: many.includes(true) }
}

interface Part {
  first: number
  end: number
}

interface Points {
  times: number[]
  values: (number | null)[]
}

// With a sample more on either side, for the line that leads there.
function partOf({ times }: Samples, fromMs: number, toMs: number): Part {
  return {
    first: Math.max(firstAt(times, fromMs) - 1, 0),
    end: Math.min(firstAt(times, toMs) + 1, times.length)
  }
}

function exact({ times, values, gapMs }: DrawnSeries, { first, end }: Part): Points {
  const points: Points = { times: [], values: [] }
  for (let index = first; index < end; index++) {
    const time = times[index] as number
    const before = index > first ? (times[index - 1] as number) : time
    if (time - before > gapMs) push(points, (time + before) / 2, null)
    const value = values[index] as number
    push(points, time, Number.isNaN(value) ? null : value)
  }
  return points
}

// A pixel has four places in time. On a shared grid all series meet at the same times, however many there are.
const PLACES = 4

function thinned(
  { times, values, gapMs }: DrawnSeries,
  { first, end }: Part,
  fromMs: number,
  toMs: number,
  width: number
): Points {
  const points: Points = { times: [], values: [] }
  const pixelMs = (toMs - fromMs) / width
  let before = times[first] as number
  let index = first
  while (index < end) {
    const start = times[index] as number
    const pixel = Math.floor((start - fromMs) / pixelMs)
    const next = endOfPixel(times, index, end, fromMs + (pixel + 1) * pixelMs)
    if (start - before > gapMs) push(points, (start + before) / 2, null)
    before = times[next - 1] as number
    const place = (at: number) => fromMs + (pixel + at / PLACES) * pixelMs
    const seen = extremes(values, index, next)
    index = next
    if (seen === null) {
      push(points, place(0), null)
      continue
    }
    const { open, low, high, close, lowFirst } = seen
    push(points, place(0), open)
    push(points, place(1), lowFirst ? low : high)
    push(points, place(2), lowFirst ? high : low)
    push(points, place(3), close)
  }
  return points
}

// Steps that double, then halves: pixels hold anything from one sample to thousands.
function endOfPixel(times: Float64Array, index: number, end: number, limitMs: number): number {
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

// The one loop that meets every sample: nothing in it that it can do without. Null where no record has a number.
function extremes(values: Float64Array, from: number, to: number) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [lowAt, highAt] = [-1, -1]
  for (let index = from; index < to; index++) {
    const value = values[index] as number
    if (value < low) {
      low = value
      lowAt = index
    }
    if (value > high) {
      high = value
      highAt = index
    }
  }
  if (lowAt < 0) return null
  let [first, last] = [from, to - 1]
  while (Number.isNaN(values[first])) first += 1
  while (Number.isNaN(values[last])) last -= 1
  return {
    open: values[first] as number,
    low,
    high,
    close: values[last] as number,
    lowFirst: lowAt <= highAt
  }
}

function push(points: Points, time: number, value: number | null): void {
  points.times.push(time)
  points.values.push(value)
}

function joined(all: readonly Points[]): Pick<Drawn, 'times' | 'values'> {
  const times: number[] = []
  const values: Drawn['values'] = all.map(() => [])
  const next = all.map(() => 0)
  for (;;) {
    let time = Number.POSITIVE_INFINITY
    for (let series = 0; series < all.length; series++) {
      const own = (all[series] as Points).times[next[series] as number]
      if (own !== undefined && own < time) time = own
    }
    if (time === Number.POSITIVE_INFINITY) return { times, values }
    times.push(time / 1000)
    for (let series = 0; series < all.length; series++) {
      const { times: own, values: given } = all[series] as Points
      const at = next[series] as number
      const meets = own[at] === time
      ;(values[series] as Drawn['values'][number]).push(meets ? given[at] : undefined)
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
