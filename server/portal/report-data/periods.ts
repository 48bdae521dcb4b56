// Reduces records to one value for each hour or day of a zone: the average of numbers, and the state at the beginning.
import { chartValue, isValidStatus } from '#shared/history/point-type.ts'
import { edgesOf, type TimeRange } from '#shared/time/date-ranges.ts'
import type { FoundPoint } from './points.ts'
import type { PointRecord } from './records.ts'

export const PERIOD_MS = { hour: 3_600_000, day: 86_400_000 }

interface Progress {
  isNumeric: boolean
  /** Of the valid numbers of the period. */
  sum: number
  count: number
  /** The last record so far, and the one that holds at the beginning of the period. */
  last: PointRecord | null
  first: PointRecord | null
}

/**
 * Yields a record for each point and period: for numbers if the period has a valid one, for others from the first record of the
 * range on.
 * @param endMs until when the last state is known to hold
 */
export async function* readPeriods(
  batches: AsyncIterable<PointRecord[]>,
  points: readonly FoundPoint[],
  {
    range,
    periodMs,
    timeZone,
    endMs
  }: { range: TimeRange; periodMs: number; timeZone: string; endMs: number }
): AsyncGenerator<PointRecord[], void, void> {
  const starts = edgesOf(range, periodMs, timeZone)
  const progress = points.map(({ type }): Progress => {
    return { isNumeric: type.kind === 'Numeric', sum: 0, count: 0, last: null, first: null }
  })
  let period = 0
  const beginMs = () => Math.max(starts[period] ?? range.toMs, range.fromMs)
  const nextMs = () => starts[period + 1] ?? range.toMs

  for await (const batch of batches) {
    const ended: PointRecord[] = []
    for (const record of batch) {
      while (record.ms >= nextMs()) ended.push(...endPeriod())
      add(record)
    }
    yield ended
  }
  const rest: PointRecord[] = []
  while (beginMs() < Math.min(range.toMs, endMs)) rest.push(...endPeriod())
  yield rest

  function add(record: PointRecord): void {
    const point = points[record.index] as FoundPoint
    const current = progress[record.index] as Progress
    if (!current.isNumeric) {
      current.last = record
      if (record.ms === beginMs()) current.first = record
      return
    }
    const number = isValidStatus(record.status) ? chartValue(point.type, record.value) : Number.NaN
    if (Number.isNaN(number)) return
    current.sum += number
    current.count += 1
  }

  function endPeriod(): PointRecord[] {
    const ms = starts[period] as number
    const records = progress.flatMap((current, index): PointRecord[] => {
      const { isNumeric, sum, count, first } = current
      if (isNumeric) return count === 0 ? [] : [{ index, ms, value: sum / count, status: '' }]
      return first ? [{ ...first, ms }] : []
    })
    for (const current of progress) Object.assign(current, { sum: 0, count: 0, first: current.last })
    period += 1
    return records
  }
}
