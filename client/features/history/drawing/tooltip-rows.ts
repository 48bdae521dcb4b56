// What a chart's tooltip says of an instant: every series with its value then, the highest first, then states and alarms.
import type { ChartAlarm } from '../alarms/chart-alarms.ts'
import { firstAt, nearest } from '../records/history-samples.ts'
import { type ChartLine, ghostOf, isGhost, isState, sampleText, valueWords } from './chart-lines.ts'
import { extremes, usualGapMs } from './decimation.ts'

export interface TooltipRow {
  line: ChartLine
  /** Null where nothing is recorded then. */
  value: number | null
  text: string
  units: string
  /** "23.9–25.4", where the value is an average. */
  spread: string | null
  /** "+1.2", or for states what was then; null where nothing is compared with. */
  difference: string | null
}

export interface TooltipText {
  atMs: number
  numbers: TooltipRow[]
  states: TooltipRow[]
  alarms: ChartAlarm[]
}

interface Read {
  value: number
  low?: number
  high?: number
}

/** What is read of a line at an instant, in a chart that shows averages over `bucketMs`. */
export type LineReader = (line: ChartLine, atMs: number, bucketMs: number | null) => Read | null

/** Each line's usual gap is looked for once. */
export function lineReader(): LineReader {
  const gaps = new WeakMap<Float64Array, number>()
  return ({ samples, heldUntilMs }, atMs, bucketMs) => {
    const { times, values } = samples
    if (times.length === 0) return null
    if (bucketMs !== null) {
      const start = Math.floor(atMs / bucketMs) * bucketMs
      const found = extremes(values, firstAt(times, start), firstAt(times, start + bucketMs))
      return found && { value: found.average, low: found.low, high: found.high }
    }
    if (heldUntilMs !== null) {
      const index = firstAt(times, atMs + 1) - 1
      return index < 0 || atMs > heldUntilMs ? null : readAt(values, index)
    }
    const gap = gaps.get(times) ?? usualGapMs(samples)
    gaps.set(times, gap)
    const index = nearest(times, atMs)
    return Math.abs((times[index] as number) - atMs) > gap / 2 ? null : readAt(values, index)
  }
}

function readAt(values: Float64Array, index: number): Read | null {
  const value = values[index] as number
  return Number.isNaN(value) ? null : { value }
}

/** The sample next to an instant: what is said is what was recorded. Of values that hold, any instant is one. */
export function snapped(
  lines: readonly ChartLine[],
  atMs: number,
  bucketOf: (line: ChartLine) => number | null
): number {
  const own = lines.filter(
    (line) => line.heldUntilMs === null && !isGhost(line) && line.samples.times.length > 0
  )
  const [first] = own
  if (!first) return atMs
  const bucketMs = own.map(bucketOf).find((ms) => ms !== null)
  if (bucketMs != null) return Math.floor(atMs / bucketMs) * bucketMs
  const times = own.map(({ samples }) => samples.times[nearest(samples.times, atMs)] as number)
  return times.reduce((best, time) => (Math.abs(time - atMs) < Math.abs(best - atMs) ? time : best))
}

export function tooltipText(
  lines: readonly ChartLine[],
  alarms: readonly ChartAlarm[],
  atMs: number,
  bucketOf: (line: ChartLine) => number | null,
  read: LineReader
): TooltipText {
  const rows = lines.filter((line) => !isGhost(line)).map((line) => rowOf(line, lines, atMs, bucketOf, read))
  const numbers = rows.filter(({ line }) => !isState(line.point))
  return {
    atMs,
    numbers: numbers.sort(
      (a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY) || 0
    ),
    states: rows.filter(({ line }) => isState(line.point)),
    alarms: alarms.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs <= (toMs ?? Number.POSITIVE_INFINITY))
  }
}

function rowOf(
  line: ChartLine,
  lines: readonly ChartLine[],
  atMs: number,
  bucketOf: (line: ChartLine) => number | null,
  read: LineReader
): TooltipRow {
  const { point } = line
  const own = read(line, atMs, bucketOf(line))
  const ghost = ghostOf(lines, line)
  const before = ghost ? read(ghost, atMs, bucketOf(ghost)) : null
  const words = (value: number) => valueWords(point, value)
  return {
    line,
    value: own?.value ?? null,
    text: own ? words(own.value) : 'no value',
    units: own && !isState(point) ? point.units : '',
    spread: own?.low === undefined || own.high === undefined ? null : `${words(own.low)}–${words(own.high)}`,
    difference: own && before ? differenceOf(line, own.value, before.value) : null
  }
}

function differenceOf({ point }: ChartLine, value: number, before: number): string {
  if (isState(point)) return value === before ? 'as before' : `before: ${sampleText(point, before)}`
  const text = valueWords(point, Math.abs(value - before))
  return Number(text) === 0 ? '±0' : `${value > before ? '+' : '−'}${text}`
}
