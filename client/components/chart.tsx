// The only place that knows uPlot, which brings no accessibility of its own: the figure has a name, a cursor for the
// keyboard and a text that says where it stands. The table twin is the caller's, from the same values.
import 'uplot/dist/uPlot.min.css'
import '../style/chart.css'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import uPlot from 'uplot'
import { type ChartRange, followGestures, moved, rangeNow, zoomed } from './chart-gestures.ts'
import { type ChartSeries, optionsOf } from './chart-options.ts'

export type { ChartRange } from './chart-gestures.ts'
export type { ChartSeries } from './chart-options.ts'

/** What the keyboard steps through, where less is drawn than there is. */
export interface ChartSamples {
  /** Milliseconds, ascending. */
  times: ArrayLike<number>
  values: ArrayLike<number>
}

interface ChartProps {
  /** Names the figure: "Data usage, Jan to Dec". */
  label: string
  /** Unix seconds, ascending. */
  times: readonly number[]
  series: readonly ChartSeries[]
  height: number
  zone: string
  /** What is said of a sample: "Supply Temp, 12-Jun 14:05, 21.4 °C". */
  describe: (series: number, index: number) => string
  /** All samples of each series; without, what is drawn is all. */
  samples?: readonly ChartSamples[]
  /** The time in view; without, all of it. */
  range?: ChartRange
  /** Makes it possible to zoom and move; null shows all again. */
  onRange?: (range: ChartRange | null) => void
  /** Charts of the same name share their cursor. */
  sync?: string
  /** 2 keeps the place of a second axis free, for charts below each other. */
  sides?: 1 | 2
}

const LARGE_STEP = 10
const ZOOM = 0.5
const MOVE = 0.5
const SAID_AFTER_MS = 300

export function Chart(props: ChartProps) {
  const { label, times, series, height, zone, describe, samples, range, onRange, sync, sides = 1 } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [cursor, setCursor] = useState({ series: 0, index: -1 })
  const [mark, setMark] = useState<number | null>(null)
  const help = useId()
  const reachable = series.flatMap(({ ghost }, index) => (ghost ? [] : [index]))
  const operable = onRange !== undefined

  const countOf = (line: number) => (samples ? (samples[line]?.times.length ?? 0) : times.length)
  const timeOf = (line: number, index: number) =>
    samples ? (samples[line]?.times[index] ?? 0) / 1000 : (times[index] ?? 0)
  const amountOf = (line: number, index: number) =>
    samples ? samples[line]?.values[index] : series[line]?.values[index]

  const dataNow = useEffectEvent(
    () => [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData
  )
  const rangeShown = useEffectEvent((min: number | null, max: number | null): uPlot.Range.MinMax => {
    if (range) return [range.from, range.to]
    if (min === null || max === null) return [min, max]
    return min === max ? [min - 1800, max + 1800] : [min, max]
  })
  const changeRange = useEffectEvent((next: ChartRange) => onRange?.(next))
  const point = useEffectEvent((chart: uPlot) => {
    const { left = -1, top = -1, event } = chart.cursor
    if (!event || left < 0) return
    const time = chart.posToVal(left, 'x')
    const nearby = reachable.map((line) => {
      const index = closest(countOf(line), (at) => timeOf(line, at), time)
      const value = amountOf(line, index)
      const far = value == null || Number.isNaN(value)
      return {
        line,
        index,
        distance: far ? 1e9 : Math.abs(chart.valToPos(value, series[line]?.unit ?? '') - top)
      }
    })
    const best = nearby.sort((a, b) => a.distance - b.distance)[0]
    if (best && best.index >= 0) setCursor({ series: best.line, index: best.index })
  })

  // What a chart is made of; its values are exchanged without making it anew.
  const made = JSON.stringify(series.map(({ values: _, ...rest }) => rest))
  const drawable = times.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: `made` is what of the series matters here
  useEffect(() => {
    const element = place.current
    if (!element || !drawable) return
    const options = optionsOf(series, { width: element.clientWidth, height, zone, sides })
    const chart = new uPlot(
      {
        ...options,
        scales: { ...options.scales, x: { range: (_, min, max) => rangeShown(min, max) } },
        cursor: {
          drag: { x: operable, y: false, setScale: false },
          ...(sync ? { sync: { key: sync } } : {}),
          bind: {
            mousedown: (_self, _target, handler) => (event) => (event.shiftKey ? null : handler(event)),
            dblclick: () => null
          }
        },
        hooks: {
          ...options.hooks,
          setCursor: [point],
          setSelect: [
            ({ select }) => {
              if (select.width < 4) return
              changeRange({
                from: chart.posToVal(select.left, 'x'),
                to: chart.posToVal(select.left + select.width, 'x')
              })
              chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            }
          ]
        }
      },
      dataNow(),
      element
    )
    plot.current = chart
    const endGestures = operable ? followGestures(chart, (next) => changeRange(next)) : () => {}
    const sized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    sized.observe(element)
    const themed = new MutationObserver(() => chart.redraw(false, true))
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      endGestures()
      sized.disconnect()
      themed.disconnect()
      chart.destroy()
      plot.current = null
    }
  }, [made, height, zone, sync, sides, operable, drawable])

  const shown = useRef({ times, series, range })
  useEffect(() => {
    const before = shown.current
    shown.current = { times, series, range }
    if (before.times === times && before.series === series && before.range === range) return
    plot.current?.setData(dataNow(), true)
  }, [times, series, range])

  function moveTo(at: number, line: number) {
    const chart = plot.current
    if (!chart || countOf(line) === 0) return
    // Only what is in view is gone through: the keys that move the view bring the rest.
    const { from, to } = rangeNow(chart)
    const last = countOf(line) - 1
    const lowest = Math.max(
      firstNotBefore(last + 1, (index) => timeOf(line, index), from),
      0
    )
    const highest = Math.min(firstNotBefore(last + 1, (index) => timeOf(line, index), to + 1e-6) - 1, last)
    if (highest < lowest) return
    const index = Math.min(Math.max(at, lowest), highest)
    setCursor({ series: line, index })
    const value = amountOf(line, index)
    const middle = chart.bbox.height / 2 / devicePixelRatio
    const top =
      value == null || Number.isNaN(value) ? middle : chart.valToPos(value, series[line]?.unit ?? 'y')
    chart.setCursor({ left: chart.valToPos(timeOf(line, index), 'x'), top })
  }

  function changeLine(by: number) {
    const at = reachable.indexOf(cursor.series)
    const line = reachable[(at + by + reachable.length) % reachable.length]
    if (line === undefined) return
    const time = cursor.index < 0 ? 0 : timeOf(cursor.series, cursor.index)
    moveTo(cursor.index < 0 ? 0 : closest(countOf(line), (index) => timeOf(line, index), time), line)
  }

  function change(to: (shown: ChartRange, at: number) => ChartRange | null) {
    const chart = plot.current
    if (!chart || !onRange) return
    const inView = rangeNow(chart)
    const at = cursor.index < 0 ? (inView.from + inView.to) / 2 : timeOf(cursor.series, cursor.index)
    onRange(to(inView, Math.min(Math.max(at, inView.from), inView.to)))
  }

  function markOrZoom() {
    if (cursor.index < 0) return
    const time = timeOf(cursor.series, cursor.index)
    if (mark === null) return setMark(time)
    setMark(null)
    if (mark !== time) onRange?.({ from: Math.min(mark, time), to: Math.max(mark, time) })
  }

  function operate(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey ? LARGE_STEP : 1
    const { series: line, index } = cursor
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
    const move = moves[event.key] ?? (operable ? changes[event.key] : undefined)
    if (!move || times.length === 0) return
    event.preventDefault()
    move()
  }

  function leave() {
    if (mark !== null) return setMark(null)
    setCursor({ series: 0, index: -1 })
    place.current?.blur()
  }

  const known = cursor.index >= 0 && cursor.index < countOf(cursor.series)
  const said = known ? describe(cursor.series, cursor.index) : ''
  const marked = mark === null ? '' : ' Range begun: go to its end and press Space.'
  const settled = useSettled(said + marked)
  return (
    <div className="chart">
      <figure
        className="chart-plot"
        ref={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the figure is operated by arrow keys
        tabIndex={0}
        aria-label={label}
        aria-describedby={help}
        onKeyDown={operate}
      />
      <p id={help} className="sr-only">
        Left and right arrows move through the samples, up and down arrows change the line.
        {operable &&
          ' Plus and minus zoom, 0 shows all, Page Up and Page Down move the time, Space begins and ends a range to zoom to.'}
      </p>
      <p className="chart-cursor" aria-hidden="true">
        {said}
        {marked}
      </p>
      <p className="sr-only" role="status">
        {settled}
      </p>
    </div>
  )
}

/** The text once it rests: whoever holds a key down need not hear every sample. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SAID_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function firstNotBefore(count: number, timeOf: (index: number) => number, time: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeOf(middle) < time) low = middle + 1
    else high = middle
  }
  return low
}

function closest(count: number, timeOf: (index: number) => number, time: number): number {
  const after = firstNotBefore(count, timeOf, time)
  if (after === 0 || after === count) return after === 0 ? (count > 0 ? 0 : -1) : count - 1
  return time - timeOf(after - 1) <= timeOf(after) - time ? after - 1 : after
}
