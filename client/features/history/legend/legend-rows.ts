// The rows of the legend: every point of the chart, hidden ones too, each followed by its earlier period.
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { type ChartLine, ghostOf, isGhost, isState } from '../drawing/chart-lines.ts'
import { type StateTime, startsIn, stateRuns, timeInStates } from '../drawing/state-runs.ts'
import { type Statistics, statisticsOf } from './statistics.ts'

export interface LegendRow {
  line: ChartLine
  statistics: Statistics
  /** Of states: how long each held, and how often it left rest or changed. */
  states: { times: StateTime[]; starts: number; changes: number } | null
  hidden: boolean
}

export function legendRows(
  lines: readonly ChartLine[],
  view: TimeRange,
  isHidden: (line: ChartLine) => boolean
): LegendRow[] {
  return lines
    .filter((line) => !isGhost(line))
    .flatMap((line) => [line, ...[ghostOf(lines, line) ?? []].flat()])
    .map((line) => ({
      line,
      statistics: statisticsOf(line.samples, view, line.heldUntilMs),
      states: isState(line.point) ? statesOf(line, view) : null,
      hidden: isHidden(line)
    }))
}

function statesOf({ samples, heldUntilMs }: ChartLine, view: TimeRange) {
  const runs = stateRuns(samples, view, heldUntilMs ?? view.fromMs)
  return { times: timeInStates(runs), starts: startsIn(runs), changes: Math.max(runs.length - 1, 0) }
}

/** What is hidden after a click on a name: all others, or none of them when it was alone already. */
export function isolated(key: string, all: readonly string[], hidden: readonly string[]): string[] {
  const others = all.filter((one) => one !== key)
  const alone = !hidden.includes(key) && others.every((one) => hidden.includes(one))
  return alone ? [] : others
}
