// Statistics of samples within a view, for charts, summaries, CSV files and services: average, extremes, last value.
import type { TimeRange } from '../time/date-ranges.ts'
import { firstAt } from '../time/first-at.ts'
import type { Samples } from './samples.ts'

/** Statistics of a line within a view. */
export interface Statistics {
  /** The number of records with a value. */
  samples: number
  min: number | null
  minMs: number
  max: number | null
  maxMs: number
  /** If values hold, weighted by how long each value held. */
  average: number | null
  /** The weight of the average, as in `Average`. */
  weight: number
  last: number | null
}

export const NO_STATISTICS: Statistics = {
  samples: 0,
  min: null,
  minMs: 0,
  max: null,
  maxMs: 0,
  average: null,
  weight: 0,
  last: null
}

export function statisticsOf(samples: Samples, view: TimeRange): Statistics {
  const { times, values } = samples
  const { first, start, end } = indexesIn(samples, view)
  const found = extremes(values, start, end)
  if (!found) return NO_STATISTICS
  const ms = (index: number) => Math.max(times[index] as number, view.fromMs)
  const last = lastIn(samples, view)
  const average = averageOf(samples, view, found)
  const isBeforeCounted = start < first && !Number.isNaN(values[start])
  return {
    samples: found.count - (isBeforeCounted ? 1 : 0),
    min: found.low,
    minMs: ms(found.lowIndex),
    max: found.high,
    maxMs: ms(found.highIndex),
    average: average.value,
    weight: average.weight,
    last
  }
}

/** The statistics of two views, one after the other. */
export function joinedStatistics(before: Statistics, after: Statistics): Statistics {
  if (before.min === null || before.max === null) return after
  if (after.min === null || after.max === null) return before
  const lowest = after.min < before.min ? after : before
  const highest = after.max > before.max ? after : before
  const average = joinedAverage(averageOfStatistics(before), averageOfStatistics(after))
  return {
    samples: before.samples + after.samples,
    min: lowest.min,
    minMs: lowest.minMs,
    max: highest.max,
    maxMs: highest.maxMs,
    average: average?.value ?? null,
    weight: average?.weight ?? 0,
    last: after.last
  }
}

const averageOfStatistics = ({ average, weight }: Statistics): Average | null =>
  average === null ? null : { value: average, weight }

/** The last value within a view, or held there; null if there is none. */
export function lastIn(samples: Samples, view: TimeRange): number | null {
  const { start, end } = indexesIn(samples, view)
  for (let index = end - 1; index >= start; index--) {
    const value = samples.values[index] as number
    if (!Number.isNaN(value)) return value
  }
  return null
}

/** The indexes of the records in a view: from `start`, whose value may hold from before, or `first`, up to `end`. */
function indexesIn({ times, validUntilMs }: Samples, view: TimeRange) {
  const first = firstAt(times, view.fromMs)
  // The value before the view counts if it holds into the view.
  const knownUntilMs = Math.min(times[first] ?? view.toMs, view.toMs, validUntilMs ?? view.fromMs)
  const holdsFromBefore = first > 0 && knownUntilMs > view.fromMs
  return { first, start: holdsFromBefore ? first - 1 : first, end: firstAt(times, view.toMs) }
}

export interface Average {
  value: number
  /** How long values hold, in milliseconds; if values do not hold, their number. */
  weight: number
}

/**
 * The average of a view: of values that hold weighted by how long each one holds, otherwise each value counts once. Null
 * without a value.
 */
export function averageIn(samples: Samples, view: TimeRange): Average | null {
  const { start, end } = indexesIn(samples, view)
  const found = extremes(samples.values, start, end)
  return found && averageOf(samples, view, found)
}

/** The average of two views, one after the other. */
export function joinedAverage(before: Average | null, after: Average | null): Average | null {
  if (before === null || after === null || before.weight === 0) return after ?? before
  if (after.weight === 0) return before
  const weight = before.weight + after.weight
  const sum = before.value * before.weight + after.value * after.weight
  if (Number.isFinite(sum)) return { value: sum / weight, weight }
  return { value: before.value * (before.weight / weight) + after.value * (after.weight / weight), weight }
}

function averageOf(samples: Samples, view: TimeRange, found: Extremes): Average {
  const { times, values, validUntilMs } = samples
  if (validUntilMs === null) return { value: found.average, weight: found.count }
  const { start, end } = indexesIn(samples, view)
  const endMs = Math.min(validUntilMs, view.toMs)
  let [sum, average, weights, lastValue] = [0, 0, 0, found.average]
  for (let index = start; index < end; index++) {
    const value = values[index] as number
    if (Number.isNaN(value)) continue
    lastValue = value
    const weight = Math.min(times[index + 1] ?? endMs, endMs) - Math.max(times[index] as number, view.fromMs)
    if (weight <= 0) continue
    weights += weight
    sum += value * weight
    average += (value / weights - average / weights) * weight
  }
  // A value that was recorded just now has held for no time.
  if (weights === 0) return { value: lastValue, weight: 0 }
  // Sums of the largest numbers are infinite; the average that is corrected in each step is less exact.
  return { value: Number.isFinite(sum) ? sum / weights : average, weight: weights }
}

export interface Extremes {
  low: number
  lowIndex: number
  high: number
  highIndex: number
  average: number
  /** The number of values. */
  count: number
}

/** The extremes and the average of the values from one index up to another; null if no value is a number. */
export function extremes(values: Float64Array, from: number, to: number): Extremes | null {
  const totals: Totals = { ...NO_VALUES }
  const firstBlock = Math.ceil(from / BLOCK)
  const endBlock = Math.floor(to / BLOCK)
  if (firstBlock < endBlock) {
    addValues(totals, values, from, firstBlock * BLOCK)
    for (let block = firstBlock; block < endBlock; block++) addTotals(totals, totalsOfBlock(values, block))
    addValues(totals, values, endBlock * BLOCK, to)
  } else addValues(totals, values, from, to)
  const { low, lowIndex, high, highIndex, sum, count } = totals
  if (count === 0) return null
  // Sums of the largest numbers are infinite.
  const average = Number.isFinite(sum) ? sum / count : low / 2 + high / 2
  return { low, lowIndex, high, highIndex, average, count }
}

interface Totals extends Omit<Extremes, 'average'> {
  sum: number
}

const NO_VALUES: Totals = {
  low: Number.POSITIVE_INFINITY,
  lowIndex: -1,
  high: Number.NEGATIVE_INFINITY,
  highIndex: -1,
  sum: 0,
  count: 0
}

/** The number of values in a block. Blocks have totals, so that new records do not require a look at all other records. */
const BLOCK = 1024
/** The totals of blocks, by the buffer of their values. Later values are appended to the same buffer. */
const totalsByBuffer = new WeakMap<ArrayBufferLike, Totals[]>()

function totalsOfBlock(values: Float64Array, block: number): Totals {
  const known = totalsByBuffer.get(values.buffer) ?? []
  totalsByBuffer.set(values.buffer, known)
  const totals = known[block] ?? addValues({ ...NO_VALUES }, values, block * BLOCK, (block + 1) * BLOCK)
  known[block] = totals
  return totals
}

/** The loop visits every value, so it does as little as possible. */
function addValues(totals: Totals, values: Float64Array, from: number, to: number): Totals {
  let { low, lowIndex, high, highIndex, sum, count } = totals
  for (let index = from; index < to; index++) {
    const value = values[index] as number
    if (Number.isNaN(value)) continue
    if (value < low || lowIndex < 0) {
      low = value
      lowIndex = index
    }
    if (value > high || highIndex < 0) {
      high = value
      highIndex = index
    }
    sum += value
    count += 1
  }
  return Object.assign(totals, { low, lowIndex, high, highIndex, sum, count })
}

function addTotals(totals: Totals, block: Totals): void {
  if (block.count === 0) return
  if (block.low < totals.low || totals.lowIndex < 0) {
    totals.low = block.low
    totals.lowIndex = block.lowIndex
  }
  if (block.high > totals.high || totals.highIndex < 0) {
    totals.high = block.high
    totals.highIndex = block.highIndex
  }
  totals.sum += block.sum
  totals.count += block.count
}
