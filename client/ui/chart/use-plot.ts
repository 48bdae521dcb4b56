// Draws a chart with uPlot. Follows the size of its element and the theme.
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import uPlot from 'uplot'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import type { PlottedChart } from './chart.tsx'
import { PRINTED_SIZE } from './chart-axes.ts'
import { followGestures } from './chart-gestures.ts'
import { drawLimits, drawMarkEdges, nameMarks, shadeMarks } from './chart-marks.ts'
import { optionsOf } from './chart-options.ts'
import { type ChartSeries, drawnAt, isLane } from './chart-series.ts'
import { drawLane } from './lanes.ts'

const SINGLE_TIME_MARGIN_MS = 1_800_000
const DRAG_MIN = 4
/** Pixels for each pixel of a printed page. A chart for A4 upright is still sharp on a sheet that lies on its side. */
const PRINTED_PIXELS = 3

/** @param onPoint called when the pointer moves over this chart or a synchronized chart */
export function usePlot(
  container: RefObject<HTMLElement | null>,
  plot: RefObject<uPlot | null>,
  props: PlottedChart,
  onPoint: (chart: uPlot) => void
): void {
  const { times, series, height, zone, range, onRange, sync, axes } = props
  const { sides, timeAxis, marks, namesMarks, limits, printed } = props
  const operable = onRange !== undefined
  const pixels = printed ? Math.ceil(PRINTED_PIXELS / devicePixelRatio) : 1
  const scale = printed ? pixels * PRINTED_SIZE : 1
  const dataNow = useEffectEvent(() => dataOf(props))
  const visibleRange = useEffectEvent((min: number | null, max: number | null) => rangeOf(props, min, max))
  const changeRange = useEffectEvent((newRange: TimeRange | null) => onRange?.(newRange))
  const limitsNow = useEffectEvent(() => limits)
  const drawBehind = useEffectEvent((chart: uPlot) => {
    const ratio = scale * devicePixelRatio
    shadeMarks(chart, ratio, marks)
    if (series.some(isLane)) return
    drawMarkEdges(chart, ratio, marks)
    drawLimits(chart, ratio, limits)
  })
  const drawOver = useEffectEvent((chart: uPlot) => {
    const ratio = scale * devicePixelRatio
    const lane = series.find(isLane)
    if (lane) {
      drawLane(chart, ratio, lane)
      drawMarkEdges(chart, ratio, marks)
    }
    if (namesMarks) nameMarks(chart, ratio, marks)
  })
  const point = useEffectEvent((chart: uPlot) => onPoint(chart))

  // A change of these values creates a new chart.
  const chartKey = JSON.stringify([
    axes,
    series.map(({ values: _values, runs: _runs, samples: _samples, band, ...rest }) => [rest, !!band])
  ])
  const drawable = times.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: `chartKey` covers the series and the axes
  useEffect(() => {
    const element = container.current
    if (!element || !drawable) return
    const sizeNow = () => ({ width: pixels * element.clientWidth, height: pixels * height })
    const frame = { ...sizeNow(), zone, sides, timeAxis, axes, scale }
    const options = optionsOf(series, frame, () => limitsNow())
    const chart = new uPlot(
      {
        ...options,
        scales: { ...options.scales, x: { range: (_, min, max) => visibleRange(min, max) } },
        cursor: printed ? { show: false } : cursorOf(props, () => changeRange(null)),
        hooks: {
          ...options.hooks,
          drawAxes: [(self) => drawBehind(self)],
          draw: [...(options.hooks?.draw ?? []), (self) => drawOver(self)],
          setCursor: [(self) => point(self)],
          setSelect: [
            ({ select }) => {
              if (select.width < DRAG_MIN) return
              changeRange({
                fromMs: chart.posToVal(select.left, 'x'),
                toMs: chart.posToVal(select.left + select.width, 'x')
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
    const endGestures = followGestures(chart, operable ? (newRange) => changeRange(newRange) : undefined)
    const sizeObserver = new ResizeObserver(() => chart.setSize(sizeNow()))
    sizeObserver.observe(element)
    const themeObserver = new MutationObserver(() => chart.redraw(false, true))
    themeObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      endGestures()
      sizeObserver.disconnect()
      themeObserver.disconnect()
      chart.destroy()
      plot.current = null
    }
  }, [chartKey, height, zone, sync, sides, timeAxis, operable, drawable, pixels, scale])

  const drawnProps = useRef({ times, series, range, limits })
  useEffect(() => {
    const previous = drawnProps.current
    drawnProps.current = { times, series, range, limits }
    const isSame = previous.times === times && previous.series === series && previous.range === range
    if (isSame && previous.limits === limits) return
    plot.current?.setData(dataNow(), true)
  }, [times, series, range, limits, plot])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the marks draws the chart again
  useEffect(() => plot.current?.redraw(false), [marks, plot])
}

function dataOf({ times, series }: PlottedChart): uPlot.AlignedData {
  const bands = series.flatMap(({ band }) => (band ? [band.high, band.low] : []))
  return [times, ...series.map(({ values }) => values), ...bands] as unknown as uPlot.AlignedData
}

/** The `range` of the chart, or all times with room for the outer bars. */
function rangeOf(
  { range, times, series }: PlottedChart,
  min: number | null,
  max: number | null
): uPlot.Range.MinMax {
  if (range) return [range.fromMs, range.toMs]
  if (min === null || max === null) return [min, max]
  if (min === max) return [min - SINGLE_TIME_MARGIN_MS, max + SINGLE_TIME_MARGIN_MS]
  const margin = series.some(({ kind }) => kind === 'bars') ? (max - min) / (times.length - 1) / 2 : 0
  return [min - margin, max + margin]
}

function cursorOf({ series, sync, onRange }: PlottedChart, onReset: () => void): uPlot.Cursor {
  return {
    y: false,
    drag: { x: onRange !== undefined, y: false, setScale: false },
    points: {
      show: (_, index) => pointOn(series[index - 1]),
      bbox: (self, index) => pointBox(self, index, series[index - 1])
    },
    ...(sync ? { sync: { key: sync } } : {}),
    bind: {
      // uPlot moves the cursor at once. React follows in the same frame, so that styles are computed once.
      mousemove: (_self, _target, handler) => (event) => flushSync(() => handler(event)),
      mousedown: (_self, _target, handler) => (event) => (event.shiftKey ? null : handler(event)),
      dblclick: () => () => {
        onReset()
        return null
      }
    }
  }
}

function pointOn(series: ChartSeries | undefined): HTMLElement {
  const element = document.createElement('div')
  if (!series || series.ghost || isLane(series)) element.hidden = true
  return element
}

const POINT_SIZE = 9

/** The box of the point at the value that the tooltip shows. For steps, the point is at the cursor. */
function pointBox(chart: uPlot, index: number, series: ChartSeries | undefined): uPlot.BBox {
  const cursor = chart.cursor.left ?? 0
  const [times, values] = [chart.data[0], chart.data[index] ?? []]
  const holds = series?.kind === 'steps'
  const drawnIndex = drawnAt(times, values, chart.posToVal(cursor, 'x'), holds)
  const left = holds ? cursor : chart.valToPos(times[drawnIndex] ?? 0, 'x')
  const top =
    drawnIndex < 0
      ? -POINT_SIZE
      : chart.valToPos(values[drawnIndex] as number, chart.series[index]?.scale ?? '')
  return { left: left - POINT_SIZE / 2, top: top - POINT_SIZE / 2, width: POINT_SIZE, height: POINT_SIZE }
}
