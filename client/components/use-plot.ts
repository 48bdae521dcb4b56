// Draws a chart by uPlot into its place, as large as that is and in the colours of the theme.
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import uPlot from 'uplot'
import { type ChartRange, followGestures } from './chart-gestures.ts'
import { type ChartSeries, optionsOf } from './chart-options.ts'

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
  { times, series, height, zone, range, onRange, sync, sides, onPoint }: Plotted
): void {
  const operable = onRange !== undefined
  const dataNow = useEffectEvent(
    () => [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData
  )
  const rangeShown = useEffectEvent((min: number | null, max: number | null): uPlot.Range.MinMax => {
    if (range) return [range.from, range.to]
    if (min === null || max === null) return [min, max]
    if (min === max) return [min - ALONE, max + ALONE]
    const beside = series.some(({ kind }) => kind === 'bars') ? (max - min) / (times.length - 1) / 2 : 0
    return [min - beside, max + beside]
  })
  const changeRange = useEffectEvent((next: ChartRange) => onRange?.(next))
  const point = useEffectEvent((chart: uPlot) => onPoint(chart))

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
  }, [times, series, range, plot])
}
