// Where somebody is on a chart, by keys or by the pointer: at which sample of which line. uPlot has no such thing.
import { type KeyboardEvent, type RefObject, useState } from 'react'
import type uPlot from 'uplot'
import { type ChartRange, moveCursor, moved, rangeNow, zoomed } from './chart-gestures.ts'
import { type ChartSeries, isLane } from './chart-options.ts'
import { isValue, type LineSamples } from './chart-samples.ts'
import { laneMiddle } from './lanes.ts'

const LARGE_STEP = 10
const ZOOM = 0.5
const MOVE = 0.5
/** Farther than any pixel. */
const FAR = 1e9
/** Where uPlot has its cursor when it is nowhere. */
const AWAY = -10

interface Operated {
  series: readonly ChartSeries[]
  samples: LineSamples
  onRange: ((range: ChartRange | null) => void) | undefined
  /** The keyboard leaves the chart. */
  onLeave: () => void
}

interface ChartCursor {
  /** Null while nobody is anywhere. */
  at: { line: number; index: number } | null
  /** A range has been begun, and not ended yet. */
  marking: boolean
  operate: (event: KeyboardEvent) => void
  followPointer: (chart: uPlot) => void
  /** Nothing is at the cursor any longer; the keyboard goes on where it was. */
  hide: () => void
}

export function useChartCursor(
  plot: RefObject<uPlot | null>,
  { series, samples, onRange, onLeave }: Operated
): ChartCursor {
  const [cursor, setCursor] = useState({ line: 0, index: -1 })
  const [mark, setMark] = useState<number | null>(null)
  const { countOf, timeOf, amountOf, closest, firstNotBefore } = samples
  const reachable = series.flatMap(({ ghost }, line) => (ghost ? [] : [line]))

  /** How far down the value of a line is, in pixels; null where it has none. */
  function heightOf(chart: uPlot, line: number, value: number | null | undefined): number | null {
    const one = series[line]
    if (!one || !isValue(value)) return null
    return isLane(one) ? laneMiddle(series, line) : chart.valToPos(value, one.unit)
  }

  function followPointer(chart: uPlot) {
    const { left = -1, top = -1, event } = chart.cursor
    if (!event || left < 0) return
    const time = chart.posToVal(left, 'x')
    const nearby = reachable.map((line) => {
      const index = closest(line, time)
      const height = heightOf(chart, line, amountOf(line, index))
      return { line, index, distance: height === null ? FAR : Math.abs(height - top) }
    })
    const best = nearby.sort((a, b) => a.distance - b.distance)[0]
    if (best && best.index >= 0) setCursor({ line: best.line, index: best.index })
  }

  function moveTo(wanted: number, line: number) {
    const chart = plot.current
    if (!chart || countOf(line) === 0) return
    // Only what is in view is gone through: the keys that move the view bring the rest.
    const { from, to } = rangeNow(chart)
    const first = firstNotBefore(line, from)
    const highest = Math.min(firstNotBefore(line, to + 1e-6), countOf(line)) - 1
    // What a lane held before is what it begins with.
    const one = series[line]
    const lowest = one && isLane(one) && timeOf(line, first) !== from ? Math.max(first - 1, 0) : first
    if (highest < lowest) return
    const index = Math.min(Math.max(wanted, lowest), highest)
    setCursor({ line, index })
    const top = heightOf(chart, line, amountOf(line, index)) ?? chart.bbox.height / 2 / devicePixelRatio
    moveCursor(chart, Math.max(chart.valToPos(timeOf(line, index), 'x'), 0), top)
  }

  function changeLine(by: number) {
    const place = reachable.indexOf(cursor.line)
    const line = reachable[(place + by + reachable.length) % reachable.length]
    if (line === undefined) return
    moveTo(cursor.index < 0 ? 0 : closest(line, timeOf(cursor.line, cursor.index)), line)
  }

  function change(to: (shown: ChartRange, at: number) => ChartRange | null) {
    const chart = plot.current
    if (!chart || !onRange) return
    const inView = rangeNow(chart)
    const at = cursor.index < 0 ? (inView.from + inView.to) / 2 : timeOf(cursor.line, cursor.index)
    onRange(to(inView, Math.min(Math.max(at, inView.from), inView.to)))
  }

  function markOrZoom() {
    if (cursor.index < 0) return
    const time = timeOf(cursor.line, cursor.index)
    if (mark === null) return setMark(time)
    setMark(null)
    if (mark !== time) onRange?.({ from: Math.min(mark, time), to: Math.max(mark, time) })
  }

  function hide() {
    if (plot.current) moveCursor(plot.current, AWAY, AWAY)
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
    const moves: Record<string, () => void> = {
      ArrowRight: () => moveTo(index + step, line),
      ArrowLeft: () => moveTo(index < 0 ? countOf(line) - 1 : index - step, line),
      Home: () => moveTo(0, line),
      End: () => moveTo(countOf(line) - 1, line),
      ArrowDown: () => changeLine(1),
      ArrowUp: () => changeLine(-1)
    }
    const changes: Record<string, () => void> = {
      '+': () => change((inView, at) => zoomed(inView, at, ZOOM)),
      '=': () => change((inView, at) => zoomed(inView, at, ZOOM)),
      '-': () => change((inView, at) => zoomed(inView, at, 1 / ZOOM)),
      '0': () => change(() => null),
      PageDown: () => change((inView) => moved(inView, (inView.to - inView.from) * MOVE)),
      PageUp: () => change((inView) => moved(inView, (inView.from - inView.to) * MOVE)),
      ' ': markOrZoom,
      Escape: leave
    }
    const act = moves[event.key] ?? (onRange ? changes[event.key] : undefined)
    if (!act || !plot.current) return
    event.preventDefault()
    act()
  }

  const known = cursor.index >= 0 && cursor.index < countOf(cursor.line)
  return { at: known ? cursor : null, marking: mark !== null, operate, followPointer, hide }
}
