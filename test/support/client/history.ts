// Points and lines of charts.
import type { ChartLine } from '#client/features/data/history/chart/chart-lines.ts'
import { createCollector } from '#client/features/data/history/chart/history-samples.ts'
import { type Point, pointOf } from '#client/features/data/points/point.ts'
import type { HistoryRecord } from '#shared/answers/points.ts'
import type { Samples } from '#shared/history/samples.ts'
import { YEAR } from '../year-of-records.ts'

export const chartPoint = (tags: Record<string, unknown> = {}, cloudId = 'c'): Point =>
  pointOf({
    ...{ cloudId, displayName: 'x', systemGuid: 'g', facets: { precision: 1 } },
    tags: { dataType: 'Numeric', units: '°C', telemetryId: 't', historyName: 'h', ...tags }
  })

export const FAN = { dataType: 'Boolean', trueText: 'Running', falseText: 'Off' }

export const lineOf = (
  color: number,
  samples: Samples,
  tags: Record<string, unknown> = {},
  shiftMs: number | null = null
): ChartLine => ({
  ...{
    id: `${color} ${shiftMs}`,
    key: `c-${color}`,
    name: `Line ${color + 1}`,
    device: '',
    samples,
    color,
    shiftMs
  },
  point: chartPoint(tags, `c-${color}`)
})

/** The samples as the page reads them. Values that hold do so until the end of the year. */
export function samplesOfYear(records: readonly HistoryRecord[], point: Point, holds: boolean): Samples {
  const collector = createCollector(point, YEAR, YEAR.toMs)
  collector.add(records)
  return { ...collector.finish(), validUntilMs: holds ? YEAR.toMs : null }
}
