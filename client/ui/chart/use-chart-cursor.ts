// The sample at the keyboard's or pointer's position, which uPlot does not track.
import { type KeyboardEvent, type RefObject, useState } from 'react'
import type uPlot from 'uplot'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { firstAt } from '#shared/time/first-at.ts'
import { moveCursor, moved, rangeNow, zoomed } from './chart-gestures.ts'
import { type ChartSeries, isLane, isValue, nearest, type Samples } from './chart-series.ts'
import { LANE_MIDDLE } from './lanes.ts'

const LARGE_STEP = 10
const ZOOM = 0.5
const MOVE = 0.5
const FAR_DISTANCE = 1e9
const OFF_CHART = -10

interface CursorTarget {
  series: readonly ChartSeries[]
  samples: readonly Samples[]
  onRange: ((range: TimeRange | null) => void) | undefined
  onLeave: () => void
}

const NO_SAMPLES: Samples = { times: [], values: [] }

/** Distance of a sample from the top, in pixels; null for a sample without a value. */
function heightOf(
  chart: uPlot,
  { series, samples }: CursorTarget,
  line: number,
  index: number
): number | null {
  const value = samples[line]?.values[index]
  const item = series[line]
  if (!item || !isValue(value)) return null
  return isLane(item) ? LANE_MIDDLE : chart.valToPos(value, item.unit)
}

/** The sample at the time of the pointer whose line is closest to the pointer. */
function atPointer(chart: uPlot, target: CursorTarget, lines: readonly number[]) {
  const { left = -1, top = -1, event } = chart.cursor
  if (!event || left < 0) return null
  const ms = chart.posToVal(left, 'x')
  const candidates = lines.map((line) => {
    const index = nearest(target.samples[line]?.times ?? [], ms)
    const height = heightOf(chart, target, line, index)
    return { line, index, distance: height === null ? FAR_DISTANCE : Math.abs(height - top) }
  })
  return candidates.filter(({ index }) => index >= 0).sort((a, b) => a.distance - b.distance)[0] ?? null
}

export function useChartCursor(plot: RefObject<uPlot | null>, target: CursorTarget) {
  const { series, samples, onRange, onLeave } = target
  const [cursor, setCursor] = useState({ line: 0, index: -1 })
  const [mark, setMark] = useState<number | null>(null)
  const reachable = series.flatMap(({ ghost }, line) => (ghost ? [] : [line]))
  const samplesOf = (line: number) => samples[line] ?? NO_SAMPLES
  const timeOf = (line: number, index: number) => samplesOf(line).times[index] ?? 0

  function followPointer(chart: uPlot) {
    const sample = atPointer(chart, target, reachable)
    if (sample) setCursor(sample)
  }

  function moveTo(targetIndex: number, line: number) {
    const chart = plot.current
    const { times } = samplesOf(line)
    if (!chart || times.length === 0) return
    // Moving between samples stays within the visible range; other keys pan.
    const { fromMs, toMs } = rangeNow(chart)
    const firstIndex = firstAt(times, fromMs)
    const maxIndex = Math.min(firstAt(times, toMs + 1), times.length) - 1
    // The first state of a lane may have begun before the visible range.
    const item = series[line]
    const minIndex =
      item && isLane(item) && timeOf(line, firstIndex) !== fromMs ? Math.max(firstIndex - 1, 0) : firstIndex
    if (maxIndex < minIndex) return
    const index = Math.min(Math.max(targetIndex, minIndex), maxIndex)
    setCursor({ line, index })
    const top = heightOf(chart, target, line, index) ?? chart.bbox.height / 2 / devicePixelRatio
    moveCursor(chart, Math.max(chart.valToPos(timeOf(line, index), 'x'), 0), top)
  }

  function changeLine(offset: number) {
    const place = reachable.indexOf(cursor.line)
    const line = reachable[(place + offset + reachable.length) % reachable.length]
    if (line === undefined) return
    moveTo(cursor.index < 0 ? 0 : nearest(samplesOf(line).times, timeOf(cursor.line, cursor.index)), line)
  }

  function change(rangeFor: (viewRange: TimeRange, centerMs: number) => TimeRange | null) {
    const chart = plot.current
    if (!chart || !onRange) return
    const viewRange = rangeNow(chart)
    const { fromMs, toMs } = viewRange
    const centerMs = cursor.index < 0 ? (fromMs + toMs) / 2 : timeOf(cursor.line, cursor.index)
    onRange(rangeFor(viewRange, Math.min(Math.max(centerMs, fromMs), toMs)))
  }

  function markOrZoom() {
    if (cursor.index < 0) return
    const ms = timeOf(cursor.line, cursor.index)
    setMark(mark === null ? ms : null)
    if (mark !== null && mark !== ms) onRange?.({ fromMs: Math.min(mark, ms), toMs: Math.max(mark, ms) })
  }

  function hide() {
    if (plot.current) moveCursor(plot.current, OFF_CHART, OFF_CHART)
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
    const lastIndex = samplesOf(line).times.length - 1
    const moves: Record<string, () => void> = {
      ArrowRight: () => moveTo(index + step, line),
      ArrowLeft: () => moveTo(index < 0 ? lastIndex : index - step, line),
      Home: () => moveTo(0, line),
      End: () => moveTo(lastIndex, line),
      ArrowDown: () => changeLine(1),
      ArrowUp: () => changeLine(-1)
    }
    const changes: Record<string, () => void> = {
      '+': () => change((viewRange, centerMs) => zoomed(viewRange, centerMs, ZOOM)),
      '=': () => change((viewRange, centerMs) => zoomed(viewRange, centerMs, ZOOM)),
      '-': () => change((viewRange, centerMs) => zoomed(viewRange, centerMs, 1 / ZOOM)),
      '0': () => change(() => null),
      PageDown: () => change((viewRange) => moved(viewRange, (viewRange.toMs - viewRange.fromMs) * MOVE)),
      PageUp: () => change((viewRange) => moved(viewRange, (viewRange.fromMs - viewRange.toMs) * MOVE)),
      ' ': markOrZoom,
      Escape: leave
    }
    const act = moves[event.key] ?? (onRange ? changes[event.key] : undefined)
    if (!act || !plot.current) return
    event.preventDefault()
    act()
  }

  const isValid = cursor.index >= 0 && cursor.index < samplesOf(cursor.line).times.length
  return { sample: isValid ? cursor : null, marking: mark !== null, operate, followPointer, hide }
}
