// Sums up the records of a whole range, for each point: the numbers that the history page and its printed report show.
import { isState } from '#shared/history/point-type.ts'
import { joinedStates, NO_STATES, type StateSummary, summaryOfStates } from '#shared/history/state-runs.ts'
import { joinedStatistics, NO_STATISTICS, type Statistics, statisticsOf } from '#shared/history/statistics.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import type { FoundPoint } from './points.ts'
import type { PointRecord, RecordPage } from './records.ts'
import { createSampler } from './sampler.ts'

export interface PointSummary {
  statistics: Statistics
  states: StateSummary
}

interface SummaryOptions {
  range: TimeRange
  /** Until when the last value is known to hold. */
  endMs: number
  /** The last records before the range, by the index of the point. */
  before: readonly (readonly PointRecord[])[]
}

/**
 * Yields the summaries of all points at the end, and nothing after each page, so that a failure of the first page is known.
 * @param pages of records, in the order of time
 */
export async function* readSummaries(
  pages: AsyncIterable<RecordPage>,
  points: readonly FoundPoint[],
  { before, ...options }: SummaryOptions
): AsyncGenerator<PointSummary[], void, void> {
  const reducers = points.map((point, index) => summaryReducer(point, before[index] ?? [], options))
  for await (const { records, untilMs } of pages) {
    const recordsByPoint = Map.groupBy(records, ({ index }) => index)
    for (const [index, reducer] of reducers.entries()) reducer.read(recordsByPoint.get(index) ?? [], untilMs)
    yield []
  }
  yield reducers.map(({ summary }) => summary())
}

function summaryReducer(
  point: FoundPoint,
  before: readonly PointRecord[],
  options: Omit<SummaryOptions, 'before'>
) {
  const sampler = createSampler(point, before, options)
  let fromMs = options.range.fromMs
  let statistics = NO_STATISTICS
  let states = NO_STATES
  return {
    read(records: readonly PointRecord[], untilMs: number) {
      const samples = sampler.read(records, untilMs)
      if (samples === null) return
      const view = { fromMs, toMs: untilMs }
      statistics = joinedStatistics(statistics, statisticsOf(samples, view))
      if (isState(point.type)) states = joinedStates(states, summaryOfStates(samples, view))
      fromMs = untilMs
    },
    summary: (): PointSummary => ({ statistics, states })
  }
}
