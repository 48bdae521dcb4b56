// States over time, with their durations and colours. Each value holds until the next record, the last value until
// `heldUntilMs`.
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { type ChartSeries, firstAt, type LaneRun } from '../../../ui/chart/chart-series.ts'
import type { Point } from '../../points/point.ts'
import { type ChartLine, isGhost, stateTexts, valueWords } from './chart-lines.ts'
import type { Samples } from './history-samples.ts'

export interface StateRun {
  fromMs: number
  toMs: number
  /** NaN if there is no value; null if the state changes too often to show. */
  value: number | null
}

/** The runs within a view. Runs shorter than `shortestMs` are merged, because a pixel cannot show more. */
export function stateRuns(
  { times, values, heldUntilMs }: Samples,
  { fromMs, toMs }: TimeRange,
  shortestMs = 0
): StateRun[] {
  const runs: StateRun[] = []
  const end = Math.min(toMs, Math.max(heldUntilMs ?? fromMs, times.at(-1) ?? fromMs))
  for (let at = Math.max(firstAt(times, fromMs + 1) - 1, 0); at < times.length; at++) {
    const from = Math.max(times[at] as number, fromMs)
    const to = Math.min(times[at + 1] ?? end, end)
    if (from >= end) break
    if (to > from) add(runs, { fromMs: from, toMs: to, value: values[at] as number }, shortestMs)
  }
  return runs
}

function add(runs: StateRun[], run: StateRun, shortestMs: number): void {
  const lastRun = runs.at(-1)
  if (!lastRun) return void runs.push(run)
  const areShort = run.toMs - run.fromMs < shortestMs && lastRun.toMs - lastRun.fromMs < shortestMs
  const isFull = lastRun.value === null && lastRun.toMs - lastRun.fromMs >= shortestMs
  if (Object.is(lastRun.value, run.value)) lastRun.toMs = run.toMs
  else if ((areShort || lastRun.value === null) && !isFull && run.toMs - run.fromMs < shortestMs)
    Object.assign(lastRun, { toMs: run.toMs, value: null })
  else runs.push(run)
}

/** The lane of a state. The previous period, if shown, is a strip below it. */
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

export interface StateTime {
  value: number
  text: string
  /** The index of a chart colour; null for a state of rest, such as off. */
  color: number | null
  ms: number
  /** Share of the known time, from 0 to 1. */
  share: number
}

export interface StateTimes {
  /** The longest time first. Times without a value are left out. */
  times: StateTime[]
  /** How often the value changed from 0 (rest) to another value within the view. */
  starts: number
  changes: number
}

export function statesIn({ samples, point }: ChartLine, view: TimeRange): StateTimes {
  const runs = stateRuns(samples, view)
  const msByValue = new Map<number, number>()
  let [starts, total] = [0, 0]
  for (const [at, { value, fromMs, toMs }] of runs.entries()) {
    if (value && runs[at - 1]?.value === 0) starts += 1
    if (value === null || Number.isNaN(value)) continue
    msByValue.set(value, (msByValue.get(value) ?? 0) + toMs - fromMs)
    total += toMs - fromMs
  }
  const times = Array.from(msByValue, ([value, ms]) => ({
    ...{ value, ms, share: ms / total },
    ...{ text: valueWords(point, value), color: stateColor(point, value) }
  }))
  return { times: times.sort((a, b) => b.ms - a.ms), starts, changes: Math.max(runs.length - 1, 0) }
}

export function shareText(share: number): string {
  return share < 0.01 ? '< 1 %' : `${Math.round(100 * share)} %`
}

const [BLUE, ORANGE, GREEN, VIOLET, RED, TEAL] = [0, 1, 2, 3, 4, 5]

/** Colours by the words of a state's text; the first match counts. Null is grey, for a state of rest. */
const MEANINGS: [words: RegExp, color: number | null][] = [
  [/^(no|not)\b|\b(off|stopped|idle|none|normal|closed|unoccupied|vacant|disabled|standby|setback)\b/i, null],
  [/alarm|fault|trip|fail|error|lockout/i, RED],
  [/heat/i, ORANGE],
  [/cool|chill/i, BLUE],
  [/econo/i, TEAL],
  [/vent/i, VIOLET],
  [/\b(on|run|running|started|occupied|enabled|open|auto)\b/i, GREEN]
]
/** Colours of states that match no word, by their position in the list of states. */
const OTHER_COLORS = [0, 3, 5, 7, 1, 6, 2, 9]

/** The index of a chart colour; null for a state of rest. The same words have the same colour at every point. */
export function stateColor(point: Point, value: number): number | null {
  const texts = stateTexts(point)
  const text = texts.find(({ ordinal }) => ordinal === value)?.text ?? ''
  const meaning = MEANINGS.find(([words]) => words.test(text))
  if (meaning) return meaning[1]
  if (value === 0) return null
  const position = Math.max(
    texts.findIndex(({ ordinal }) => ordinal === value),
    0
  )
  return OTHER_COLORS[position % OTHER_COLORS.length] ?? BLUE
}
