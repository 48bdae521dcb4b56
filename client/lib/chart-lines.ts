// Which recorded series share a picture: numbers of two units at most, one axis each side; every state has a lane of its own.
import type { TimeRange } from './date-range.ts'
import type { Samples } from './history-samples.ts'
import { numberText, type Point, withUnits } from './points.ts'

export interface ChartLine {
  /** Other samples have another one. */
  id: string
  name: string
  device: string
  point: Point
  samples: Samples
  /** From 0: the colour, and one less than the number. */
  color: number
  /** How much later the samples of a previous period are drawn than they were recorded; null for those of the range. */
  shiftMs: number | null
}

export interface ChartPicture {
  id: string
  /** What the figure is called after "Chart of". */
  name: string
  lines: readonly ChartLine[]
  lane: boolean
}

const UNITS_PER_PICTURE = 2
export const NO_UNIT = 'no unit'

export const isState = ({ kind }: Point) => kind === 'Boolean' || kind === 'Enum'
export const axisOf = ({ point, name }: ChartLine) => (isState(point) ? name : point.units || NO_UNIT)

export function picturesOf(lines: readonly ChartLine[]): ChartPicture[] {
  const numbers = lines.filter(({ point }) => !isState(point))
  const units = [...new Set(numbers.map(axisOf))]
  const pictures: ChartPicture[] = []
  for (let at = 0; at < units.length; at += UNITS_PER_PICTURE) {
    const own = units.slice(at, at + UNITS_PER_PICTURE)
    const shown = numbers.filter((line) => own.includes(axisOf(line)))
    const count = shown.filter(({ shiftMs }) => shiftMs === null).length
    pictures.push({
      id: own.join(' '),
      name: `${count} ${count === 1 ? 'point' : 'points'} in ${own.join(' and ')}`,
      lines: shown,
      lane: false
    })
  }
  const states = lines.filter(({ point, shiftMs }) => isState(point) && shiftMs === null)
  return [
    ...pictures,
    ...states.map((line) => {
      const own = lines.filter(({ color, point }) => color === line.color && isState(point))
      return { id: `lane ${line.color}`, name: line.name, lines: own, lane: true }
    })
  ]
}

/** What stands at the axis of a state. */
export function stateTexts({ kind, texts, trueText, falseText }: Point) {
  if (kind === 'Enum') return texts
  return [
    { ordinal: 0, text: falseText },
    { ordinal: 1, text: trueText }
  ]
}

/** A sample in the words of its point. */
export function sampleText(point: Point, value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return 'no value'
  if (isState(point)) return stateTexts(point).find(({ ordinal }) => ordinal === value)?.text ?? String(value)
  return withUnits(numberText(value, point.precision), point.units)
}

/** The shortest time that a chart shows. */
const VIEW_MIN_MS = 10_000

/** A time in view that lies within the whole and is not too short; null when it is all of it. */
export function viewWithin(view: TimeRange, whole: TimeRange): TimeRange | null {
  const length = Math.min(Math.max(view.toMs - view.fromMs, VIEW_MIN_MS), whole.toMs - whole.fromMs)
  const middle = (view.fromMs + view.toMs) / 2
  const fromMs = Math.min(Math.max(middle - length / 2, whole.fromMs), whole.toMs - length)
  const range = { fromMs: Math.round(fromMs), toMs: Math.round(fromMs + length) }
  return range.fromMs <= whole.fromMs && range.toMs >= whole.toMs ? null : range
}
