// The values and states of all lines at the cursor.

import { isState } from '#shared/history/point-type.ts'
import { valueAt } from '#shared/history/samples.ts'
import { lastIn, statisticsOf } from '#shared/history/statistics.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { firstAt } from '#shared/time/first-at.ts'
import { secondWithOffset } from '#shared/time/zones.ts'
import { momentWithOffset } from '../../../../lib/time/offset.ts'
import { formatDay, formatMoment } from '../../../../lib/time/time.ts'
import { drawnAt } from '../../../../ui/chart/chart-series.ts'
import { type ChartLine, isGhost, isStepped, valueWords } from './chart-lines.ts'
import type { DrawnPicture } from './drawing.ts'
import { type StateTime, statesIn, statesText } from './states.ts'

export interface Reading {
  /** The number or state; for a span, the average number or the longest state. */
  value: number
  /** The lowest and highest value of a span; null for a sample and for a state. */
  low: number | null
  high: number | null
  /** The states of a span, the longest first; null for a sample and for a number. */
  states: readonly StateTime[] | null
}

export interface Readings {
  /** The time of the sample nearest to the cursor, or the middle of the span. */
  atMs: number
  /** The period that all readings cover, if numbers are drawn as averages; otherwise null. */
  span: TimeRange | null
  /** Readings by line id. Lines without a value are missing. */
  of: ReadonlyMap<string, Reading>
}

/** The readings at the cursor: of the averaged period there, if numbers are averaged, otherwise of the nearest sample. */
export function readingsAt(pictures: readonly DrawnPicture[], cursorMs: number): Readings {
  const span = spanAt(pictures, cursorMs)
  if (!span) return sampleReadings(pictures, cursorMs)
  const of = new Map<string, Reading>()
  for (const line of pictures.flatMap(({ lines }) => lines)) {
    const reading = readingWithin(line, span)
    if (reading) of.set(line.id, reading)
  }
  return { atMs: (span.fromMs + span.toMs) / 2, span, of }
}

/** The readings of the last record of each line in view. */
export function lastReadings(pictures: readonly DrawnPicture[], view: TimeRange): Readings {
  const of = new Map<string, Reading>()
  for (const { id, samples } of pictures.flatMap(({ lines }) => lines)) {
    const last = lastIn(samples, view)
    if (last !== null) of.set(id, sampleReading(last))
  }
  return { atMs: view.toMs, span: null, of }
}

const sampleReading = (value: number): Reading => ({ value, low: null, high: null, states: null })

function spanAt(pictures: readonly DrawnPicture[], cursorMs: number): TimeRange | null {
  const edges = pictures.find(({ drawn }) => drawn.edges !== null)?.drawn.edges
  if (!edges) return null
  const end = Math.min(Math.max(firstAt(edges, cursorMs + 1), 1), edges.length - 1)
  return { fromMs: edges[end - 1] as number, toMs: edges[end] as number }
}

function readingWithin(line: ChartLine, span: TimeRange): Reading | null {
  if (isState(line.point)) {
    const { times } = statesIn(line, span)
    const [longest] = times
    return longest ? { value: longest.value, low: null, high: null, states: times } : null
  }
  const { average, min, max } = statisticsOf(line.samples, span)
  return average === null ? null : { value: average, low: min, high: max, states: null }
}

function sampleReadings(pictures: readonly DrawnPicture[], cursorMs: number): Readings {
  const numberLines = pictures.flatMap(({ lines, drawn, state }) =>
    state
      ? []
      : lines.map((line, at) => {
          const { times } = drawn
          const { values } = drawn.lines[at] ?? { values: [] }
          const holds = isStepped(line)
          return { line, times, values, holds, index: (ms: number) => drawnAt(times, values, ms, holds) }
        })
  )
  let nearestMs: number | null = null
  for (const { line, times, holds, index } of numberLines) {
    const time = holds || isGhost(line) ? undefined : times[index(cursorMs)]
    const isNearer = nearestMs === null || Math.abs(Number(time) - cursorMs) < Math.abs(nearestMs - cursorMs)
    if (time !== undefined && isNearer) nearestMs = time
  }
  const atMs = nearestMs ?? cursorMs
  const of = new Map<string, Reading>()
  for (const { line, values, index } of numberLines) {
    const value = values[index(atMs)]
    if (value != null) of.set(line.id, sampleReading(value))
  }
  for (const { lines, state } of pictures)
    for (const line of state ? lines : []) {
      const value = valueAt(line.samples, atMs)
      if (value !== null && !Number.isNaN(value)) of.set(line.id, sampleReading(value))
    }
  return { atMs, span: null, of }
}

const MINUTE_MS = 60_000

/** "12-Jun-2026 14:05"; for an average "12-Jun-2026 14:05–14:20", "12-Jun-2026" or "12-Jun-2026–18-Jun-2026". */
export function timeText({ atMs, span }: Pick<Readings, 'atMs' | 'span'>, zone: string): string {
  if (!span) return atMs % MINUTE_MS < 1000 ? momentWithOffset(atMs, zone) : secondWithOffset(atMs, zone)
  const [from, to] = [formatMoment(span.fromMs, zone), formatMoment(span.toMs, zone)]
  const [start, end] = [formatDay(span.fromMs, zone), formatDay(span.toMs - 1, zone)]
  if (from.endsWith(' 00:00') && to.endsWith(' 00:00')) return start === end ? start : `${start}–${end}`
  return `${momentWithOffset(span.fromMs, zone)}–${start === end ? to.slice(-5) : to}`
}

/** The spread behind a reading of a span: "20.1–22.3" for an average, the other states for a state; null for a sample. */
export function spreadText({ point }: ChartLine, { low, high, states }: Reading): string | null {
  if (states) return states.length > 1 ? statesText(states.slice(1), true) : null
  return low === null || high === null ? null : `${valueWords(point, low)}–${valueWords(point, high)}`
}

/** The value as the tooltip and the legend show it: "21.4", "Running", or "Off 62 %" for the longest state of a span. */
export function readingText({ point }: ChartLine, { value, states }: Reading): string {
  return states ? statesText(states.slice(0, 1), states.length > 1) : valueWords(point, value)
}

/** The difference to the previous period, such as "+1.2". For a state, the previous state or "as before". */
export function differenceText(line: ChartLine, reading: Reading, before: Reading): string {
  const { point } = line
  if (isState(point)) {
    const text = readingText(line, before)
    return text === readingText(line, reading) ? 'as before' : `before: ${text}`
  }
  const text = valueWords(point, Math.abs(reading.value - before.value))
  return Number(text) === 0 ? '±0' : `${reading.value > before.value ? '+' : '−'}${text}`
}
