// Groups lines into charts. A chart of numbers has at most two units, with an axis on each side. Each state has a lane.
import { isState, stateTexts } from '#shared/history/point-type.ts'
import type { Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { momentWithOffset } from '../../../../lib/time/offset.ts'
import type { ChartSeries } from '../../../../ui/chart/chart-series.ts'
import { numberText, type Point, withUnits } from '../../points/point.ts'
import type { DrawnLine } from './decimation.ts'

export interface ChartLine {
  /** Unique among the lines. */
  id: string
  /** The key of the line's point. */
  key: string
  name: string
  device: string
  point: Point
  /** If values hold, the first sample may be older than the range. */
  samples: Samples
  /** The index of the line's colour, from 0; the screen shows the index plus one. A point keeps its colour. */
  color: number
  /** How much later the samples of the previous period are drawn, in milliseconds; null for lines of the range itself. */
  shiftMs: number | null
}

export interface ChartPicture {
  id: string
  /** Names the chart, as in "Chart of 2 points in °C". */
  name: string
  /** The visible lines, including those of the previous period. */
  lines: readonly ChartLine[]
  /** The lines that the heading names, also hidden ones, in a constant order. */
  named: readonly ChartLine[]
  /** The line of a chart with a lane; null for a chart of numbers. */
  state: ChartLine | null
}

const NO_UNIT = 'no unit'

export const isGhost = ({ shiftMs }: ChartLine) => shiftMs !== null
/** Whether a value is drawn until the next one: it holds, or it was set and does not move towards the next value. */
export const isStepped = ({ point, samples }: ChartLine) => samples.validUntilMs !== null || point.writable
export const axisOf = ({ point }: ChartLine) => point.units || NO_UNIT

export interface PictureChoice {
  /** The keys of the lines that are named but not drawn. */
  hiddenKeys?: readonly string[]
  /** Whether each point has a chart of its own. */
  isSeparate?: boolean
  /** The number of units that share a chart. */
  unitsAtOnce?: 1 | 2
}

/**
 * Groups lines into charts. Lines without records have no chart. Hidden lines take part, so that hiding a line moves no
 * other line.
 */
export function picturesOf(
  all: readonly ChartLine[],
  { hiddenKeys = [], isSeparate = false, unitsAtOnce = 2 }: PictureChoice = {}
): ChartPicture[] {
  const lines = all.filter(({ samples }) => samples.times.length > 0)
  const isVisible = ({ key }: ChartLine) => !hiddenKeys.includes(key)
  const numbers = lines.filter(({ point }) => !isState(point))
  const groupOf = isSeparate ? ({ key }: ChartLine) => key : axisOf
  const groups = [...new Set(numbers.map(groupOf))]
  const groupsPerPicture = isSeparate ? 1 : unitsAtOnce
  const pictures: ChartPicture[] = []
  for (let at = 0; at < groups.length; at += groupsPerPicture) {
    const pictureGroups = groups.slice(at, at + groupsPerPicture)
    const pictureLines = numbers.filter((line) => pictureGroups.includes(groupOf(line)))
    const named = pictureLines.filter((line) => !isGhost(line))
    const visibleLines = pictureLines.filter(isVisible)
    const count = visibleLines.filter((line) => !isGhost(line)).length
    const visibleUnits = [...new Set(visibleLines.map(axisOf))].join(' and ')
    const name = `${count} ${count === 1 ? 'point' : 'points'} in ${visibleUnits}`
    pictures.push({
      id: pictureGroups.join(' '),
      name: isSeparate ? (named[0]?.name ?? '') : name,
      lines: visibleLines,
      named,
      state: null
    })
  }
  const states = lines.filter((line) => isState(line.point) && !isGhost(line))
  return [
    ...pictures,
    ...states.map((state) => {
      const pointLines = lines.filter((line) => line.color === state.color && isVisible(line))
      return { id: state.id, name: state.name, lines: pointLines, named: [state], state }
    })
  ]
}

export function ghostOf(lines: readonly ChartLine[], { color }: ChartLine): ChartLine | undefined {
  return lines.find((line) => isGhost(line) && line.color === color)
}

/**
 * What the statistics of a line cover: the view, or all of the previous period, which may be longer than the range.
 * @param previous null if only a part of the range is in view
 */
export function coveredBy({ shiftMs }: ChartLine, view: TimeRange, previous: TimeRange | null): TimeRange {
  if (shiftMs === null || previous === null) return view
  return { fromMs: previous.fromMs + shiftMs, toMs: previous.toMs + shiftMs }
}

const PERCENT_RANGE: readonly [number, number] = [0, 100]

/** The fixed ends of an axis: 0 and 100 for a percentage; null to fit the axis to the values. */
export function boundsOf({ units, low, high }: Point): readonly [number, number] | null {
  return units.startsWith('%') && low === PERCENT_RANGE[0] && high === PERCENT_RANGE[1] ? PERCENT_RANGE : null
}

export function sampleText(point: Point, value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return 'no value'
  return isState(point) ? valueWords(point, value) : withUnits(valueWords(point, value), point.units)
}

export function valueWords(point: Point, value: number): string {
  if (isState(point)) return stateTexts(point).find(({ ordinal }) => ordinal === value)?.text ?? String(value)
  return numberText(value, point.precision)
}

const VIEW_MIN_MS = 10_000

/** Limits a view to the whole range and to a minimum length; null if the view is the whole range. */
export function viewWithin(view: TimeRange, whole: TimeRange): TimeRange | null {
  const length = Math.min(Math.max(view.toMs - view.fromMs, VIEW_MIN_MS), whole.toMs - whole.fromMs)
  const middle = (view.fromMs + view.toMs) / 2
  const fromMs = Math.min(Math.max(middle - length / 2, whole.fromMs), whole.toMs - length)
  const range = { fromMs: Math.round(fromMs), toMs: Math.round(fromMs + length) }
  return range.fromMs <= whole.fromMs && range.toMs >= whole.toMs ? null : range
}

/**
 * The keys to hide after a press on a line's name: all other keys, or none if only this line was visible. With Ctrl, the
 * press hides or shows this line; the last visible line cannot be hidden.
 */
export function hiddenAfter(
  key: string,
  all: readonly string[],
  hidden: readonly string[],
  withCtrl: boolean
): readonly string[] {
  const otherKeys = all.filter((lineKey) => lineKey !== key)
  const isOnlyVisible = !hidden.includes(key) && otherKeys.every((otherKey) => hidden.includes(otherKey))
  if (!withCtrl) return isOnlyVisible ? [] : otherKeys
  if (hidden.includes(key)) return hidden.filter((hiddenKey) => hiddenKey !== key)
  return isOnlyVisible ? hidden : [...hidden, key]
}

export function numberSeries(line: ChartLine, drawn: DrawnLine | undefined): ChartSeries {
  const { point, samples, color } = line
  const bounds = boundsOf(point)
  return {
    label: line.name,
    unit: axisOf(line),
    color,
    samples,
    values: drawn?.values ?? [],
    band: drawn?.band ?? null,
    // An average does not hold until the next record.
    kind: isStepped(line) && !drawn?.band ? 'steps' : 'line',
    ghost: isGhost(line),
    ...(bounds ? { bounds } : {})
  }
}

/** "1 Supply Temp, 12-Jun-2026 14:05, 21.4 °C". */
export function describeSample(line: ChartLine | undefined, index: number, zone: string): string {
  const time = line?.samples.times[index]
  if (!line || time === undefined) return ''
  return `${line.color + 1} ${line.name}, ${momentWithOffset(time, zone)}, ${sampleText(line.point, line.samples.values[index])}`
}
