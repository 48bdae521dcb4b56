// The values and states of all lines at the cursor.
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { momentWithOffset, secondWithOffset } from '../../../lib/time/offset.ts'
import { formatDay, formatMoment } from '../../../lib/time/time.ts'
import { drawnAt, firstAt } from '../../../ui/chart/chart-series.ts'
import { type ChartLine, isGhost, isState, sampleText, valueWords } from './chart-lines.ts'
import type { DrawnPicture } from './drawing.ts'
import { heldAt } from './history-samples.ts'

export interface Reading {
  value: number
  /** The lowest and highest value of an averaged interval; null for a sample. */
  low: number | null
  high: number | null
}

export interface Readings {
  /** The time of the sample nearest to the cursor, or the middle of the averaged interval. */
  atMs: number
  /** The interval of an average; null for a sample. */
  span: TimeRange | null
  /** Readings by line id. Lines without a value are missing. */
  of: ReadonlyMap<string, Reading>
}

export function readingsAt(pictures: readonly DrawnPicture[], cursorMs: number): Readings {
  const numberLines = pictures.flatMap(({ lines, drawn, state }) =>
    state
      ? []
      : lines.map((line, at) => {
          const { values, band } = drawn.lines[at] ?? { values: [], band: null }
          const holds = isHeld(line) && !band
          return {
            line,
            drawn,
            values,
            band,
            holds,
            index: (ms: number) => drawnAt(drawn.times, values, ms, holds)
          }
        })
  )
  let [atMs, span]: [number | null, TimeRange | null] = [null, null]
  for (const { line, drawn, band, holds, index } of numberLines) {
    const time = holds || isGhost(line) ? undefined : drawn.times[index(cursorMs)]
    if (time === undefined || (atMs !== null && Math.abs(time - cursorMs) >= Math.abs(atMs - cursorMs)))
      continue
    atMs = time
    const edge = drawn.edges && band ? firstAt(drawn.edges, time) : 0
    span = edge > 0 ? { fromMs: Number(drawn.edges?.[edge - 1]), toMs: Number(drawn.edges?.[edge]) } : null
  }
  const timeMs = atMs ?? cursorMs
  const of = new Map<string, Reading>()
  for (const { line, values, band, index } of numberLines) {
    const sampleIndex = index(timeMs)
    const value = values[sampleIndex]
    if (value != null)
      of.set(line.id, { value, low: band?.low[sampleIndex] ?? null, high: band?.high[sampleIndex] ?? null })
  }
  for (const { lines, state } of pictures)
    for (const line of state ? lines : []) {
      const value = heldAt(line.samples, timeMs)
      if (value !== null && !Number.isNaN(value)) of.set(line.id, { value, low: null, high: null })
    }
  return { atMs: timeMs, span, of }
}

const isHeld = ({ samples }: ChartLine) => samples.heldUntilMs !== null

const MINUTE_MS = 60_000

/** "12-Jun-2026 14:05"; for an average "12-Jun-2026 14:05–14:20", "12-Jun-2026" or "12-Jun-2026–18-Jun-2026". */
export function timeText({ atMs, span }: Pick<Readings, 'atMs' | 'span'>, zone: string): string {
  if (!span) return atMs % MINUTE_MS < 1000 ? momentWithOffset(atMs, zone) : secondWithOffset(atMs, zone)
  const [from, to] = [formatMoment(span.fromMs, zone), formatMoment(span.toMs, zone)]
  const [start, end] = [formatDay(span.fromMs, zone), formatDay(span.toMs - 1, zone)]
  if (from.endsWith(' 00:00') && to.endsWith(' 00:00')) return start === end ? start : `${start}–${end}`
  return `${momentWithOffset(span.fromMs, zone)}–${start === end ? to.slice(-5) : to}`
}

export function spreadText({ point }: ChartLine, { low, high }: Reading): string | null {
  return low === null || high === null
    ? null
    : `average, ${valueWords(point, low)}–${valueWords(point, high)}`
}

/** The difference to the previous period, such as "+1.2". For a state, the previous state or "as before". */
export function differenceText({ point }: ChartLine, value: number, before: number): string {
  if (isState(point)) return value === before ? 'as before' : `before: ${sampleText(point, before)}`
  const text = valueWords(point, Math.abs(value - before))
  return Number(text) === 0 ? '±0' : `${value > before ? '+' : '−'}${text}`
}
