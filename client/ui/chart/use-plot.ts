// Draws a chart by uPlot into its place, as large as that is and in the colours of the theme.
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import uPlot from 'uplot'
import { type ChartRange, followGestures } from './chart-gestures.ts'
import { type ChartLimit, type ChartMark, drawLimits, nameMarks, shadeMarks } from './chart-marks.ts'
import { type ChartSeries, isLane, optionsOf } from './chart-options.ts'
import { drawLanes } from './lanes.ts'

interface Plotted {
  times: readonly number[]
  series: readonly ChartSeries[]
  height: number
  zone: string
  /** The time in view; without, all of it. */
  range: ChartRange | undefined
  onRange: ((range: ChartRange | null) => void) | undefined
  sync: string | undefined
  sides: 1 | 2
  timeAxis: boolean
  marks: readonly ChartMark[]
  /** Whether the marks are named above this one. */
  namesMarks: boolean
  limits: readonly ChartLimit[]
  /** The pointer has moved over the chart, or that of a chart with the same `sync`. */
  onPoint: (chart: uPlot) => void
}

/** Half an hour each side of a sample that is alone, in seconds. */
const ALONE = 1800
/** Pixels: a shorter drag is a click. */
const DRAG_MIN = 4

export function usePlot(
  place: RefObject<HTMLElement | null>,
  plot: RefObject<uPlot | null>,
  plotted: Plotted
): void {
  const { times, series, height, zone, range, onRange, sync, sides, timeAxis, marks, limits, onPoint } =
    plotted
  const operable = onRange !== undefined
  const dataNow = useEffectEvent(
    () =>
      [
        times,
        ...series.map(({ values }) => values),
        ...series.flatMap(({ band }) => (band ? [band.high, band.low] : []))
      ] as unknown as uPlot.AlignedData
  )
  const rangeShown = useEffectEvent((min: number | null, max: number | null): uPlot.Range.MinMax => {
    if (range) return [range.from, range.to]
    if (min === null || max === null) return [min, max]
    if (min === max) return [min - ALONE, max + ALONE]
    const beside = series.some(({ kind }) => kind === 'bars') ? (max - min) / (times.length - 1) / 2 : 0
    return [min - beside, max + beside]
  })
  const changeRange = useEffectEvent((next: ChartRange | null) => onRange?.(next))
  const limitsNow = useEffectEvent(() => limits)
  const drawBehind = useEffectEvent((chart: uPlot) => {
    if (!series.some(isLane)) shadeMarks(chart, marks)
  })
  const drawOver = useEffectEvent((chart: uPlot) => {
    const lanes = series.filter(isLane)
    if (lanes.length > 0) {
      drawLanes(chart, lanes)
      shadeMarks(chart, marks)
    }
    drawLimits(chart, limits, marks)
    if (plotted.namesMarks) nameMarks(chart, marks)
  })
  const point = useEffectEvent((chart: uPlot) => onPoint(chart))

  // What a chart is made of; its values are exchanged without making it anew.
  const made = JSON.stringify(
    series.map(({ values: _values, runs: _runs, band, ...rest }) => ({ ...rest, banded: band !== undefined }))
  )
  const drawable = times.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: `made` is what of the series matters here
  useEffect(() => {
    const element = place.current
    if (!element || !drawable) return
    const options = optionsOf(series, { width: element.clientWidth, height, zone, sides, timeAxis }, () =>
      limitsNow()
    )
    const chart = new uPlot(
      {
        ...options,
        scales: { ...options.scales, x: { range: (_, min, max) => rangeShown(min, max) } },
        cursor: {
          y: false,
          drag: { x: operable, y: false, setScale: false },
          points: {
            show: (_, index) => pointOn(series[index - 1]),
            bbox: (self, index) => pointBox(self, index, series[index - 1])
          },
          ...(sync ? { sync: { key: sync } } : {}),
          bind: {
            mousedown: (_self, _target, handler) => (event) => (event.shiftKey ? null : handler(event)),
            dblclick: () => () => {
              changeRange(null)
              return null
            }
          }
        },
        hooks: {
          ...options.hooks,
          drawAxes: [(self) => drawBehind(self)],
          draw: [...(options.hooks?.draw ?? []), (self) => drawOver(self)],
          setCursor: [(self) => point(self)],
          setSelect: [
            ({ select }) => {
              if (select.width < DRAG_MIN) return
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
    const endGestures = followGestures(chart, operable ? (next) => changeRange(next) : undefined)
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
  }, [made, height, zone, sync, sides, timeAxis, operable, drawable])

  const shown = useRef({ times, series, range, limits })
  useEffect(() => {
    const before = shown.current
    shown.current = { times, series, range, limits }
    const same = before.times === times && before.series === series && before.range === range
    if (same && before.limits === limits) return
    plot.current?.setData(dataNow(), true)
  }, [times, series, range, limits, plot])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn beside the lines
  useEffect(() => plot.current?.redraw(false), [marks, plot])
}

/** Where the cursor meets a line; lanes and the edges of bands have no points. */
function pointOn(series: ChartSeries | undefined): HTMLElement {
  const element = document.createElement('div')
  if (!series || series.ghost || isLane(series)) element.hidden = true
  return element
}

const POINT_SIZE = 9

/** At the sample next to the cursor; of steps, at the cursor itself, as they hold between their samples. */
function pointBox(chart: uPlot, index: number, series: ChartSeries | undefined): uPlot.BBox {
  const { left: cursor = 0, idxs = [], idx } = chart.cursor
  const times = chart.data[0]
  const values = chart.data[index] ?? []
  const steps = series?.kind === 'steps'
  let at = (steps ? idx : idxs[index]) ?? 0
  const time = chart.posToVal(cursor, 'x')
  if (steps) while (at > 0 && (values[at] == null || (times[at] ?? 0) > time)) at -= 1
  const [value, scale = ''] = [values[at], chart.series[index]?.scale]
  const left = steps ? cursor : chart.valToPos(times[at] ?? 0, 'x')
  const top = value == null ? -POINT_SIZE : chart.valToPos(value, scale)
  return { left: left - POINT_SIZE / 2, top: top - POINT_SIZE / 2, width: POINT_SIZE, height: POINT_SIZE }
}
