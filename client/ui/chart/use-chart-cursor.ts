// The sample at the keyboard's or pointer's position, which uPlot does not track.
import { type KeyboardEvent, type RefObject, useState } from 'react'
import type uPlot from 'uplot'
import type { TimeRange } from '../../lib/time/date-range.ts'
import { moveCursor, moved, rangeNow, zoomed } from './chart-gestures.ts'
import { type ChartSeries, firstAt, isLane, isValue, nearest, type Samples } from './chart-series.ts'
import { LANE_MIDDLE } from './lanes.ts'

const LARGE_STEP = 10
const ZOOM = 0.5
const MOVE = 0.5
const FAR = 1e9
const NOWHERE = -10

interface Operated {
  series: readonly ChartSeries[]
  samples: readonly Samples[]
  onRange: ((range: TimeRange | null) => void) | undefined
  onLeave: () => void
}

const NO_SAMPLES: Samples = { times: [], values: [] }

/** Distance of a sample from the top, in pixels; null for a sample without a value. */
function heightOf(chart: uPlot, { series, samples }: Operated, line: number, index: number): number | null {
  const value = samples[line]?.values[index]
  const one = series[line]
  if (!one || !isValue(value)) return null
  return isLane(one) ? LANE_MIDDLE : chart.valToPos(value, one.unit)
}

/** The sample at the time of the pointer whose line is closest to it. */
function atPointer(chart: uPlot, operated: Operated, lines: readonly number[]) {
  const { left = -1, top = -1, event } = chart.cursor
  if (!event || left < 0) return null
  const ms = chart.posToVal(left, 'x')
  const found = lines.map((line) => {
    const index = nearest(operated.samples[line]?.times ?? [], ms)
    const height = heightOf(chart, operated, line, index)
    return { line, index, distance: height === null ? FAR : Math.abs(height - top) }
  })
  return found.filter(({ index }) => index >= 0).sort((a, b) => a.distance - b.distance)[0] ?? null
}

export function useChartCursor(plot: RefObject<uPlot | null>, operated: Operated) {
  const { series, samples, onRange, onLeave } = operated
  const [cursor, setCursor] = useState({ line: 0, index: -1 })
  const [mark, setMark] = useState<number | null>(null)
  const reachable = series.flatMap(({ ghost }, line) => (ghost ? [] : [line]))
  const samplesOf = (line: number) => samples[line] ?? NO_SAMPLES
  const timeOf = (line: number, index: number) => samplesOf(line).times[index] ?? 0

  function followPointer(chart: uPlot) {
    const found = atPointer(chart, operated, reachable)
    if (found) setCursor(found)
  }

  function moveTo(wanted: number, line: number) {
    const chart = plot.current
    const { times } = samplesOf(line)
    if (!chart || times.length === 0) return
    // Steps stay in view; other keys pan.
    const { fromMs, toMs } = rangeNow(chart)
    const first = firstAt(times, fromMs)
    const highest = Math.min(firstAt(times, toMs + 1), times.length) - 1
    // A lane begins with the state before the view.
    const one = series[line]
    const lowest = one && isLane(one) && timeOf(line, first) !== fromMs ? Math.max(first - 1, 0) : first
    if (highest < lowest) return
    const index = Math.min(Math.max(wanted, lowest), highest)
    setCursor({ line, index })
    const top = heightOf(chart, operated, line, index) ?? chart.bbox.height / 2 / devicePixelRatio
    moveCursor(chart, Math.max(chart.valToPos(timeOf(line, index), 'x'), 0), top)
  }

  function changeLine(by: number) {
    const place = reachable.indexOf(cursor.line)
    const line = reachable[(place + by + reachable.length) % reachable.length]
    if (line === undefined) return
    moveTo(cursor.index < 0 ? 0 : nearest(samplesOf(line).times, timeOf(cursor.line, cursor.index)), line)
  }

  function change(to: (inView: TimeRange, at: number) => TimeRange | null) {
    const chart = plot.current
    if (!chart || !onRange) return
    const inView = rangeNow(chart)
    const { fromMs, toMs } = inView
    const at = cursor.index < 0 ? (fromMs + toMs) / 2 : timeOf(cursor.line, cursor.index)
    onRange(to(inView, Math.min(Math.max(at, fromMs), toMs)))
  }

  function markOrZoom() {
    if (cursor.index < 0) return
    const ms = timeOf(cursor.line, cursor.index)
    setMark(mark === null ? ms : null)
    if (mark !== null && mark !== ms) onRange?.({ fromMs: Math.min(mark, ms), toMs: Math.max(mark, ms) })
  }

  function hide() {
    if (plot.current) moveCursor(plot.current, NOWHERE, NOWHERE)
  }

  function leave() {
    if (mark !== null) return setMark(null)
    setCursor({ line: 0, index: -1 })
    hide()
    onLeave()
  }

  function operate(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey ? LARGE_STEP : 1
    const { line, index } = cursor
    const last = samplesOf(line).times.length - 1
    const moves: Record<string, () => void> = {
      ArrowRight: () => moveTo(index + step, line),
      ArrowLeft: () => moveTo(index < 0 ? last : index - step, line),
      Home: () => moveTo(0, line),
      End: () => moveTo(last, line),
      ArrowDown: () => changeLine(1),
      ArrowUp: () => changeLine(-1)
    }
    const changes: Record<string, () => void> = {
      '+': () => change((inView, at) => zoomed(inView, at, ZOOM)),
      '=': () => change((inView, at) => zoomed(inView, at, ZOOM)),
      '-': () => change((inView, at) => zoomed(inView, at, 1 / ZOOM)),
      '0': () => change(() => null),
      PageDown: () => change((inView) => moved(inView, (inView.toMs - inView.fromMs) * MOVE)),
      PageUp: () => change((inView) => moved(inView, (inView.fromMs - inView.toMs) * MOVE)),
      ' ': markOrZoom,
      Escape: leave
    }
    const act = moves[event.key] ?? (onRange ? changes[event.key] : undefined)
    if (!act || !plot.current) return
    event.preventDefault()
    act()
  }

  const known = cursor.index >= 0 && cursor.index < samplesOf(cursor.line).times.length
  return { at: known ? cursor : null, marking: mark !== null, operate, followPointer, hide }
}
