// Lines of a history in the words of the chart that draws them.
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { tellMoment } from '../../../lib/time/offset.ts'
import type { ChartSeries } from '../../../ui/chart/chart.tsx'
import type { LaneRun } from '../../../ui/chart/lanes.ts'
import { axisOf, boundsOf, type ChartLine, ghostOf, isGhost, sampleText, valueWords } from './chart-lines.ts'
import type { DrawnLine } from './decimation.ts'
import { stateColor } from './state-colors.ts'
import { stateRuns } from './state-runs.ts'

export function numberSeries(line: ChartLine, { values, band }: DrawnLine): ChartSeries {
  const bounds = boundsOf(line.point)
  return {
    label: line.name,
    unit: axisOf(line),
    values,
    // An average does not hold.
    kind: line.heldUntilMs !== null && !band ? 'steps' : 'line',
    color: line.color,
    ...(band ? { band } : {}),
    ...(bounds ? { bounds } : {}),
    ...(isGhost(line) ? { ghost: true } : {})
  }
}

/** The earlier period, where there is one, is a strip below. */
export function laneSeries(
  line: ChartLine,
  all: readonly ChartLine[],
  view: TimeRange,
  width: number
): ChartSeries {
  const ghost = ghostOf(all, line)
  const runs = [line, ...(ghost ? [ghost] : [])].flatMap((one) => runsOf(one, view, width))
  return { label: line.name, unit: '', values: [], kind: 'lane', color: line.color, runs }
}

function runsOf(line: ChartLine, view: TimeRange, width: number): LaneRun[] {
  const { point, samples, heldUntilMs } = line
  const shortestMs = (view.toMs - view.fromMs) / Math.max(width, 1)
  return stateRuns(samples, view, heldUntilMs ?? view.fromMs, shortestMs)
    .filter(({ value }) => !Number.isNaN(value))
    .map(({ fromMs, toMs, value }) => ({
      from: fromMs / 1000,
      to: toMs / 1000,
      text: value === null ? '' : valueWords(point, value),
      color: value === null ? line.color : stateColor(point, value),
      ghost: isGhost(line)
    }))
}

/** "1 Supply Temp, 12-Jun-2026 14:05, 21.4 °C". */
export function describeSample(line: ChartLine | undefined, index: number, zone: string): string {
  const time = line?.samples.times[index]
  if (!line || time === undefined) return ''
  return `${line.color + 1} ${line.name}, ${tellMoment(time, zone)}, ${sampleText(line.point, line.samples.values[index])}`
}
