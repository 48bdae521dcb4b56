// The durations, colours and lanes of states over time.

import { stateTexts } from '#shared/history/point-type.ts'
import { summaryOfStates } from '#shared/history/state-runs.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import type { ChartSeries, LaneRun } from '../../../../ui/chart/chart-series.ts'
import type { Point } from '../../points/point.ts'
import { type ChartLine, isGhost, valueWords } from './chart-lines.ts'
import type { LaneSegment } from './decimation.ts'

/** The lane of a state. The previous period, if shown, is a strip below it. */
export function laneSeries(
  state: ChartLine,
  lines: readonly ChartLine[],
  segments: readonly (readonly LaneSegment[])[],
  picked: readonly number[]
): ChartSeries {
  const { point, samples, color } = state
  const runs = lines.flatMap((line, at) =>
    (segments[at] ?? [])
      .filter(({ value }) => !Number.isNaN(value))
      .map(
        ({ value, ...extent }): LaneRun => ({
          ...extent,
          ghost: isGhost(line),
          text: valueWords(point, value),
          color: colorOfState(point, value),
          faded: picked.length > 0 && !picked.includes(value)
        })
      )
  )
  return { label: state.name, unit: '', values: [], kind: 'lane', color, samples, runs }
}

export interface StateTime {
  value: number
  text: string
  /** The index of a state colour; null for a state of rest, such as off. */
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
  const { durations, starts, changes } = summaryOfStates(samples, view)
  const totalMs = durations.reduce((sum, [, ms]) => sum + ms, 0)
  const times = durations.map(([value, ms]) => ({
    value,
    ms,
    share: ms / totalMs,
    text: valueWords(point, value),
    color: colorOfState(point, value)
  }))
  return { times: times.sort((a, b) => b.ms - a.ms), starts, changes }
}

/** "Off 62 %, Running 38 %"; without the shares, "Off, Running". */
export function statesText(times: readonly StateTime[], withShares: boolean): string {
  return times.map(({ text, share }) => (withShares ? `${text} ${shareText(share)}` : text)).join(', ')
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

/** The index of a state colour; null for a state of rest. The same words have the same colour at every point. */
export function colorOfState(point: Point, value: number): number | null {
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
