// Collects the records of a point that arrive within a range. Corrections are counted, so that the page can report them.
import type { HistoryRecord } from '#shared/answers/points.ts'
import { isValidStatus, type PointType } from '#shared/history/point-type.ts'
import { type Samples, sampleOf, type TimesAndValues, timeOf, valueAt } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { firstAt } from '#shared/time/first-at.ts'
import { count } from '../../../../lib/format.ts'

/** The notes on corrected and suspicious records. */
export interface RecordNote {
  text: string
  /** The times of the records that it counts, or their number if they have no time in the range; null if it counts none. */
  records: readonly number[] | number | null
}

export interface History extends Samples {
  notes: readonly RecordNote[]
}

/** The notes as sentences. Counts only the records within the view, and those without a time in the range. */
export function notesIn(notes: readonly RecordNote[], { fromMs, toMs }: TimeRange): string[] {
  return notes.flatMap(({ text, records }) => {
    if (records === null) return [text]
    const isInView = (ms: number) => ms >= fromMs && ms < toMs
    const number = typeof records === 'number' ? records : records.filter(isInView).length
    return number > 0 ? [`${count(number, 'record')} ${text}`] : []
  })
}

/** How far the clock of a device may be ahead. */
const FUTURE_MS = 300_000

/** Collects the records of a point, which arrive in parts. */
export function createCollector(point: PointType, range: TimeRange, nowMs: number) {
  const times: number[] = []
  const values: number[] = []
  let [isAscending, isUnsorted] = [true, false]
  let [unreadableCount, outsideCount] = [0, 0]
  const futureTimes: number[] = []
  const valuelessTimes: number[] = []
  const invalidTimes: number[] = []

  function push(time: number, record: HistoryRecord) {
    const isValid = isValidStatus(record.status)
    const number = sampleOf(point, record)
    const lastTime = times.at(-1) ?? Number.NEGATIVE_INFINITY
    if (time <= lastTime) isAscending = false
    if (time < lastTime) isUnsorted = true
    if (!isValid) invalidTimes.push(time)
    else if (Number.isNaN(number)) valuelessTimes.push(time)
    if (time > nowMs + FUTURE_MS) futureTimes.push(time)
    times.push(time)
    values.push(number)
  }

  return {
    add(records: readonly HistoryRecord[]) {
      for (const record of records) {
        const time = timeOf(record)
        if (!Number.isFinite(time)) unreadableCount += 1
        else if (time < range.fromMs || time >= range.toMs) outsideCount += 1
        else push(time, record)
      }
    },
    finish(): History {
      const samples = { times: Float64Array.from(times), values: Float64Array.from(values) }
      const { repeatedTimes, ...ordered } = isAscending ? { ...samples, repeatedTimes: [] } : sorted(samples)
      const notes: RecordNote[] = [
        { text: 'with the same time as another one: the last one counts.', records: repeatedTimes },
        { text: 'without a readable time left out.', records: unreadableCount },
        { text: 'outside the range left out.', records: outsideCount },
        { text: 'in the future: the clock of the device may be wrong.', records: futureTimes },
        { text: 'without a number, drawn as gaps.', records: valuelessTimes },
        { text: 'with a fault status, drawn as gaps.', records: invalidTimes }
      ]
      if (isUnsorted) notes.unshift({ text: 'The records came out of order and were sorted.', records: null })
      return { ...ordered, validUntilMs: null, notes }
    }
  }
}

// The sort is stable, so the later of two records with the same time is used.
function sorted({ times, values }: TimesAndValues): TimesAndValues & { repeatedTimes: number[] } {
  const order = [...times.keys()].sort((a, b) => (times[a] as number) - (times[b] as number))
  const isRepeated = (index: number, at: number) => times[order[at + 1] ?? -1] === times[index]
  const usedIndexes = order.filter((index, at) => !isRepeated(index, at))
  return {
    times: Float64Array.from(usedIndexes, (index) => times[index] as number),
    values: Float64Array.from(usedIndexes, (index) => values[index] as number),
    repeatedTimes: order.filter(isRepeated).map((index) => times[index] as number)
  }
}

/** The value at a time; if values do not hold, only one recorded at exactly that time. */
export function tableValueAt(samples: Samples, ms: number): number | null {
  if (samples.validUntilMs !== null) return valueAt(samples, ms)
  const index = firstAt(samples.times, ms)
  return samples.times[index] === ms ? (samples.values[index] as number) : null
}

/** The times of all records in the range, ascending, without duplicates. Includes the start if a value holds then. */
export function unionTimes(all: readonly Samples[], { fromMs, toMs }: TimeRange): Float64Array {
  const holds = all.some((samples) => samples.validUntilMs !== null && valueAt(samples, fromMs) !== null)
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
