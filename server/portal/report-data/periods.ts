// Reduces records to one value for each hour or day of a zone: the average of numbers, and the state at the beginning.
import { setImmediate } from 'node:timers/promises'
import { type Average, averageIn, joinedAverage } from '#shared/history/statistics.ts'
import { edgesOf, type TimeRange } from '#shared/time/date-ranges.ts'
import type { FoundPoint } from './points.ts'
import type { PointRecord, RecordPage } from './records.ts'
import { createSampler } from './sampler.ts'

export const PERIOD_MS = { hour: 3_600_000, day: 86_400_000 }

/** Values that are computed without a pause, in about two milliseconds. */
const VALUES_AT_ONCE = 1_000
/** Periods are listed for this long at a time. */
const LISTED_MS = 31 * PERIOD_MS.day

interface Period extends TimeRange {
  /** When the whole period begins; the range may begin later. */
  startMs: number
  records: PointRecord[]
  /** The number of points whose value is not known yet. */
  openPoints: number
}

export interface PeriodOptions {
  range: TimeRange
  periodMs: number
  timeZone: string
  /** Until when the last value is known to hold. */
  endMs: number
  /** The last records before the range, by the index of the point. */
  before: readonly (readonly PointRecord[])[]
}

/**
 * Yields a record for each point and period in which it has a value, few at a time.
 * @param pages of records, in the order of time
 */
export async function* readPeriods(
  pages: AsyncIterable<RecordPage>,
  points: readonly FoundPoint[],
  options: PeriodOptions
): AsyncGenerator<PointRecord[], void, void> {
  const { range, before } = options
  const periods = periodsOf(options, points.length)
  const reducers = points.map((point, index) => {
    const create = point.type.kind === 'Numeric' ? numberReducer : stateReducer
    return create(index, point, before[index] ?? [], options)
  })
  const periodsAtOnce = Math.max(1, Math.floor(VALUES_AT_ONCE / Math.max(points.length, 1)))
  let readMs = range.fromMs
  for await (const { records, untilMs } of pages) {
    let firstRecord = 0
    while (readMs < untilMs) {
      readMs = Math.min(periods.endAfter(readMs, periodsAtOnce), untilMs)
      let endRecord = firstRecord
      while ((records[endRecord]?.ms ?? Number.POSITIVE_INFINITY) < readMs) endRecord += 1
      const recordsByPoint = Map.groupBy(records.slice(firstRecord, endRecord), ({ index }) => index)
      firstRecord = endRecord
      for (const [index, reducer] of reducers.entries())
        reducer.read(recordsByPoint.get(index) ?? [], readMs, periods)
      yield periods.takeFinished()
      await setImmediate()
    }
  }
}

/** The periods of a range, listed as they are needed: those of five years would take too long at once. */
function periodsOf({ range, periodMs, timeZone }: PeriodOptions, pointCount: number) {
  const listed: Period[] = []
  let takenCount = 0
  let listedUntilMs = range.fromMs

  function listMore(): void {
    const toMs = Math.min(listedUntilMs + LISTED_MS, range.toMs)
    const edges = edgesOf({ fromMs: listedUntilMs, toMs }, periodMs, timeZone)
    for (const [at, startMs] of edges.slice(0, -1).entries()) {
      const nextMs = edges[at + 1] as number
      listed.push({
        startMs,
        fromMs: Math.max(startMs, range.fromMs),
        toMs: Math.min(nextMs, range.toMs),
        records: [],
        openPoints: pointCount
      })
      listedUntilMs = nextMs
    }
  }

  return {
    /** The period of that number; undefined after the last one. */
    at(number: number): Period | undefined {
      while (number - takenCount >= listed.length && listedUntilMs < range.toMs) listMore()
      return listed[number - takenCount]
    },
    /** The end of the period that lies so many periods after a time. */
    endAfter(ms: number, count: number): number {
      let number = takenCount
      while ((this.at(number)?.toMs ?? range.toMs) <= ms && this.at(number)) number += 1
      return this.at(number + count - 1)?.toMs ?? range.toMs
    },
    /** Removes the periods that have the values of all points, and returns their records. */
    takeFinished(): PointRecord[] {
      const end = listed.findIndex(({ openPoints }) => openPoints > 0)
      const finished = listed.splice(0, end < 0 ? listed.length : end)
      takenCount += finished.length
      return finished.flatMap(({ records }) => records.sort((a, b) => a.index - b.index))
    }
  }
}

type Periods = ReturnType<typeof periodsOf>

interface Reducer {
  /** Adds the point's records until a time, and its values to the periods. */
  read(records: readonly PointRecord[], untilMs: number, periods: Periods): void
}

/** The average of numbers: weighted by time if they were recorded on change, otherwise each number counts once. */
function numberReducer(
  index: number,
  point: FoundPoint,
  before: readonly PointRecord[],
  options: PeriodOptions
): Reducer {
  const sampler = createSampler(point, before, options)
  let averagedMs = options.range.fromMs
  let average: Average | null = null
  let number = 0
  return {
    read(records, untilMs, periods) {
      const samples = sampler.read(records, untilMs)
      if (samples === null) return
      for (;;) {
        const period = periods.at(number)
        if (period === undefined || period.fromMs >= untilMs) break
        const view = { fromMs: Math.max(period.fromMs, averagedMs), toMs: Math.min(period.toMs, untilMs) }
        average = joinedAverage(average, averageIn(samples, view))
        averagedMs = view.toMs
        if (period.toMs > untilMs) break
        if (average) period.records.push({ index, ms: period.startMs, value: average.value, status: '' })
        period.openPoints -= 1
        average = null
        number += 1
      }
    }
  }
}

/** The record that holds at the beginning of each period. */
function stateReducer(
  _index: number,
  _point: FoundPoint,
  before: readonly PointRecord[],
  { endMs }: PeriodOptions
): Reducer {
  let latest = before.at(-1) ?? null
  let number = 0
  return {
    read(records, untilMs, periods) {
      let at = 0
      for (;;) {
        const period = periods.at(number)
        if (period === undefined || period.fromMs >= untilMs) break
        for (; at < records.length && (records[at] as PointRecord).ms <= period.fromMs; at += 1)
          latest = records[at] as PointRecord
        if (latest && period.fromMs <= endMs) period.records.push({ ...latest, ms: period.startMs })
        period.openPoints -= 1
        number += 1
      }
      latest = records.at(-1) ?? latest
    }
  }
}
