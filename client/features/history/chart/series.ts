// Lines of a history as series of a chart.
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { tellMoment } from '../../../lib/time/offset.ts'
import type { ChartSeries, LaneRun } from '../../../ui/chart/chart-series.ts'
import { axisOf, boundsOf, type ChartLine, isGhost, sampleText, valueWords } from './chart-lines.ts'
import type { DrawnLine } from './decimation.ts'
import { stateColor, stateRuns } from './states.ts'

export function numberSeries(line: ChartLine, drawn: DrawnLine | undefined): ChartSeries {
  const { point, samples, color } = line
  const bounds = boundsOf(point)
  return {
    ...{
      label: line.name,
      unit: axisOf(line),
      color,
      samples,
      values: drawn?.values ?? [],
      band: drawn?.band ?? null
    },
    // An average does not hold.
    kind: samples.heldUntilMs !== null && !drawn?.band ? 'steps' : 'line',
    ghost: isGhost(line),
    ...(bounds ? { bounds } : {})
  }
}

/** The earlier period, where there is one, is a strip below. */
export function laneSeries(
  state: ChartLine,
  lines: readonly ChartLine[],
  view: TimeRange,
  width: number,
  picked: readonly number[]
): ChartSeries {
  const shortestMs = (view.toMs - view.fromMs) / Math.max(width, 1)
  const { point, samples, color } = state
  const runs = lines.flatMap((line) =>
    stateRuns(line.samples, view, shortestMs).flatMap(({ fromMs, toMs, value }): LaneRun[] => {
      if (Number.isNaN(value)) return []
      return [
        {
          ...{ fromMs, toMs, ghost: isGhost(line) },
          text: value === null ? '' : valueWords(point, value),
          color: value === null ? color : stateColor(point, value),
          faded: picked.length > 0 && (value === null || !picked.includes(value))
        }
      ]
    })
  )
  return { label: state.name, unit: '', values: [], kind: 'lane', color, samples, runs }
}

/** "1 Supply Temp, 12-Jun-2026 14:05, 21.4 °C". */
export function describeSample(line: ChartLine | undefined, index: number, zone: string): string {
  const time = line?.samples.times[index]
  if (!line || time === undefined) return ''
  return `${line.color + 1} ${line.name}, ${tellMoment(time, zone)}, ${sampleText(line.point, line.samples.values[index])}`
}
