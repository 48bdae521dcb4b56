// Samples of a point: its records in ascending order, one for each time, within the range. Corrections are counted, so
// that the page can report them.
import type { HistoryRecord } from '#shared/answers/points.ts'
import { chartValue, isValidStatus, type PointType } from '#shared/history/point-type.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { count } from '../../../../lib/format.ts'
import { firstAt } from '../../../../ui/chart/chart-series.ts'

export interface Samples {
  /** In milliseconds, ascending, without duplicates. */
  times: Float64Array
  /** NaN if a record has no drawable value. */
  values: Float64Array
  /** The time until which the last value holds, in milliseconds; null if values do not hold. */
  heldUntilMs: number | null
}

export interface History extends Samples {
  /** Sentences about corrected and suspicious records. */
  notes: readonly string[]
}

export const NO_SAMPLES: Samples = {
  times: new Float64Array(0),
  values: new Float64Array(0),
  heldUntilMs: null
}
type TimesAndValues = Pick<Samples, 'times' | 'values'>

/** How far the clock of a device may be ahead. */
const FUTURE_MS = 300_000

/** Collects the records of a point, which arrive in parts. */
export function createCollector(point: PointType, range: TimeRange, nowMs: number) {
  const times: number[] = []
  const values: number[] = []
  let [isAscending, isUnsorted] = [true, false]
  let [unreadableCount, outsideCount, futureCount, valuelessCount, invalidCount] = [0, 0, 0, 0, 0]

  function push(time: number, { value, status }: HistoryRecord) {
    const isValid = isValidStatus(status)
    const number = isValid ? chartValue(point, value) : Number.NaN
    const lastTime = times.at(-1) ?? Number.NEGATIVE_INFINITY
    if (time <= lastTime) isAscending = false
    if (time < lastTime) isUnsorted = true
    if (!isValid) invalidCount += 1
    else if (Number.isNaN(number)) valuelessCount += 1
    if (time > nowMs + FUTURE_MS) futureCount += 1
    times.push(time)
    values.push(number)
  }

  return {
    add(records: readonly HistoryRecord[]) {
      for (const record of records) {
        const { timestamp } = record
        const time = typeof timestamp === 'number' ? timestamp : Date.parse(String(timestamp))
        if (!Number.isFinite(time)) unreadableCount += 1
        else if (time < range.fromMs || time >= range.toMs) outsideCount += 1
        else push(time, record)
      }
    },
    finish(): History {
      const samples = { times: Float64Array.from(times), values: Float64Array.from(values) }
      const ordered = isAscending ? samples : sorted(samples)
      const countedNotes: [number: number, text: string][] = [
        [times.length - ordered.times.length, 'with the same time as another one: the last one counts.'],
        [unreadableCount, 'without a readable time left out.'],
        [outsideCount, 'outside the range left out.'],
        [futureCount, 'in the future: the clock of the device may be wrong.'],
        [valuelessCount, 'without a number, drawn as gaps.'],
        [invalidCount, 'with a fault status, drawn as gaps.']
      ]
      const notes = countedNotes.flatMap(([number, text]) =>
        number > 0 ? [`${count(number, 'record')} ${text}`] : []
      )
      if (isUnsorted) notes.unshift('The records came out of order and were sorted.')
      return { ...ordered, heldUntilMs: null, notes }
    }
  }
}

// The sort is stable, so the later of two records with the same time is used.
function sorted({ times, values }: TimesAndValues): TimesAndValues {
  const order = [...times.keys()].sort((a, b) => (times[a] as number) - (times[b] as number))
  const usedIndexes = order.filter((index, at) => times[order[at + 1] ?? -1] !== times[index])
  return {
    times: Float64Array.from(usedIndexes, (index) => times[index] as number),
    values: Float64Array.from(usedIndexes, (index) => values[index] as number)
  }
}

/** The value of the last record at or before a time; null if it is not known to hold until then. */
export function heldAt({ times, values, heldUntilMs }: Samples, ms: number): number | null {
  const index = firstAt(times, ms + 1) - 1
  return index < 0 || ms > (heldUntilMs ?? Number(times[index])) ? null : (values[index] as number)
}

/** The value held at a time. If values do not hold, the value recorded at exactly that time. */
export function recordOrHeld(samples: Samples, ms: number): number | null {
  if (samples.heldUntilMs !== null) return heldAt(samples, ms)
  const index = firstAt(samples.times, ms)
  return samples.times[index] === ms ? (samples.values[index] as number) : null
}

/** The times of all records in the range, ascending, without duplicates. Includes the start if a value holds then. */
export function unionTimes(all: readonly Samples[], { fromMs, toMs }: TimeRange): Float64Array {
  const holds = all.some((samples) => samples.heldUntilMs !== null && heldAt(samples, fromMs) !== null)
  const parts = all.map(({ times }) => times.subarray(firstAt(times, fromMs), firstAt(times, toMs)))
  if (holds) parts.push(Float64Array.of(fromMs))
  const union = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let size = 0
  for (const part of parts) {
    union.set(part, size)
    size += part.length
  }
  union.sort()
  let length = 0
  for (const time of union) if (length === 0 || union[length - 1] !== time) union[length++] = time
  return union.slice(0, length)
}

/** Minimum number of records that show whether their intervals are regular. */
export const FEW_RECORDS = 8
/** Maximum number of records that `isOnChange` inspects. */
const ENOUGH_RECORDS = 2_000
/** Intervals are equal if they differ by at most this share. */
const TOLERANCE = 0.1
/** Records are regular if this share of intervals is equal. */
const REGULAR_SHARE = 0.6
/** Values were recorded on change if this share of records differs from the previous record. */
const CHANGED_SHARE = 0.5

/** Whether numbers were recorded on change, so that each number holds until the next record. */
export function isOnChange({ times, values }: TimesAndValues): boolean {
  const steps = Math.min(times.length, ENOUGH_RECORDS) - 1
  if (steps < 2) return true
  const intervals = Float64Array.from({ length: steps }, (_, at) => (times[at + 1] ?? 0) - (times[at] ?? 0))
  const median = intervals.toSorted()[Math.floor(steps / 2)] ?? 0
  const regularCount = intervals.filter((step) => Math.abs(step - median) <= TOLERANCE * median).length
  if (regularCount / steps >= REGULAR_SHARE) return false
  let changedCount = 0
  for (let at = 1; at <= steps; at++) if (values[at] !== values[at - 1]) changedCount += 1
  return changedCount / steps >= CHANGED_SHARE
}

/** The samples followed by later ones. */
export function joined(before: TimesAndValues, samples: TimesAndValues): TimesAndValues {
  return {
    times: appended(before.times, samples.times),
    values: appended(before.values, samples.values)
  }
}

function appended(before: Float64Array, added: Float64Array): Float64Array {
  const length = before.length + added.length
  const buffer = growableBuffer(before, length * Float64Array.BYTES_PER_ELEMENT)
  const all = new Float64Array(buffer, 0, length)
  all.set(added, before.length)
  return all
}

/** How many times the memory of its first records a line may use before they are copied. */
const GROWTH = 2

/**
 * A buffer of this size that begins with the numbers: their own one if it can grow and nothing else was appended to them.
 * A live chart appends a few records to many, so copying all of them would take longer than drawing.
 */
function growableBuffer(numbers: Float64Array, byteLength: number): ArrayBuffer {
  const { buffer, byteOffset } = numbers
  if (
    buffer instanceof ArrayBuffer &&
    byteOffset === 0 &&
    buffer.byteLength === numbers.byteLength &&
    buffer.maxByteLength >= byteLength &&
    buffer.resizable
  ) {
    buffer.resize(byteLength)
    return buffer
  }
  const newBuffer = new ArrayBuffer(byteLength, { maxByteLength: GROWTH * byteLength })
  new Float64Array(newBuffer).set(numbers)
  return newBuffer
}

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
  last: number | null
}

export function statisticsOf(samples: Samples, view: TimeRange): Statistics {
  const { times, values, heldUntilMs } = samples
  const { first, start, end } = indexesIn(samples, view)
  const found = extremes(values, start, end)
  if (!found) return { samples: 0, min: null, minMs: 0, max: null, maxMs: 0, average: null, last: null }
  const ms = (index: number) => Math.max(times[index] as number, view.fromMs)
  const last = lastIn(samples, view)
  const isBeforeCounted = start < first && !Number.isNaN(values[start])
  return {
    samples: found.count - (isBeforeCounted ? 1 : 0),
    min: found.low,
    minMs: ms(found.lowIndex),
    max: found.high,
    maxMs: ms(found.highIndex),
    average: heldUntilMs === null ? found.average : (heldAverage(samples, view) ?? last),
    last
  }
}

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
function indexesIn({ times, heldUntilMs }: Samples, view: TimeRange) {
  const first = firstAt(times, view.fromMs)
  // The value before the view counts if it holds into the view.
  const knownUntilMs = Math.min(times[first] ?? view.toMs, view.toMs, heldUntilMs ?? view.fromMs)
  const holdsFromBefore = first > 0 && knownUntilMs > view.fromMs
  return { first, start: holdsFromBefore ? first - 1 : first, end: firstAt(times, view.toMs) }
}

/** The average of values that hold, weighted by time; null if no value holds for any time. */
function heldAverage(samples: Samples, view: TimeRange): number | null {
  const { times, values, heldUntilMs } = samples
  const { start, end } = indexesIn(samples, view)
  const endMs = Math.min(heldUntilMs ?? view.toMs, view.toMs)
  let [average, weights] = [0, 0]
  for (let index = start; index < end; index++) {
    const value = values[index] as number
    const weight = Math.min(times[index + 1] ?? endMs, endMs) - Math.max(times[index] as number, view.fromMs)
    if (Number.isNaN(value) || weight <= 0) continue
    weights += weight
    // Divides before adding, because sums of the largest numbers are infinite.
    average += (value / weights - average / weights) * weight
  }
  return weights > 0 ? average : null
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
