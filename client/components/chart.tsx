// The only place that knows uPlot, which brings no accessibility of its own: the figure has a name, a cursor for the
// keyboard and a text that says where it stands. The table twin is the caller's, from the same values.
import 'uplot/dist/uPlot.min.css'
import '../style/chart.css'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import uPlot from 'uplot'
import { CHART_COLORS, chartColor } from '../lib/chart-colors.ts'

export interface ChartSeries {
  label: string
  /** Series of one unit share an axis; two units have one each side. */
  unit: string
  values: readonly (number | null)[]
  kind?: 'line' | 'bars' | 'steps'
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
}

const LARGE_STEP = 10

export function Chart({ label, times, series, height, zone, describe }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [cursor, setCursor] = useState({ series: 0, index: -1 })
  const help = useId()

  useEffect(() => {
    const element = place.current
    if (!element || times.length === 0) return
    const data = [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData
    const chart = new uPlot(optionsOf(series, element.clientWidth, height, zone), data, element)
    plot.current = chart
    const sized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    sized.observe(element)
    const themed = new MutationObserver(() => chart.redraw(false, true))
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      sized.disconnect()
      themed.disconnect()
      chart.destroy()
      plot.current = null
    }
  }, [times, series, height, zone])

  function moveTo(at: number, line: number) {
    const index = Math.min(Math.max(at, 0), times.length - 1)
    setCursor({ series: line, index })
    const chart = plot.current
    const time = times[index]
    if (!chart || time === undefined) return
    const value = series[line]?.values[index]
    const top =
      value == null
        ? chart.bbox.height / 2 / devicePixelRatio
        : chart.valToPos(value, series[line]?.unit ?? 'y')
    chart.setCursor({ left: chart.valToPos(time, 'x'), top })
  }

  function operate(event: KeyboardEvent) {
    const step = event.shiftKey ? LARGE_STEP : 1
    const moves: Record<string, () => void> = {
      ArrowRight: () => moveTo(cursor.index + step, cursor.series),
      ArrowLeft: () => moveTo(cursor.index < 0 ? times.length - 1 : cursor.index - step, cursor.series),
      Home: () => moveTo(0, cursor.series),
      End: () => moveTo(times.length - 1, cursor.series),
      ArrowDown: () => moveTo(cursor.index, (cursor.series + 1) % series.length),
      ArrowUp: () => moveTo(cursor.index, (cursor.series - 1 + series.length) % series.length)
    }
    const move = moves[event.key]
    if (!move || times.length === 0) return
    event.preventDefault()
    move()
  }

  const said = cursor.index < 0 || cursor.index >= times.length ? '' : describe(cursor.series, cursor.index)
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
      </p>
      <p className="chart-cursor" role="status">
        {said}
      </p>
    </div>
  )
}

function themeNow(): 'light' | 'dark' {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function optionsOf(
  series: readonly ChartSeries[],
  width: number,
  height: number,
  zone: string
): uPlot.Options {
  const units = [...new Set(series.map(({ unit }) => unit))]
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: Object.fromEntries(units.map((unit) => [unit, {}])),
    series: [
      {},
      ...series.map(({ label, unit, kind = 'line' }, index) => ({
        label,
        scale: unit,
        stroke: () => chartColor(index, themeNow()),
        dash: [...(CHART_COLORS[index % CHART_COLORS.length]?.dash ?? [])],
        width: 1.5,
        ...pathsOf(kind, index)
      }))
    ],
    axes: [
      axis({}),
      ...units.map((unit, index) =>
        axis({ scale: unit, label: unit, side: index === 0 ? 3 : 1, grid: { show: index === 0 } })
      )
    ]
  }
}

function pathsOf(kind: ChartSeries['kind'], index: number): Partial<uPlot.Series> {
  if (kind === 'bars' && uPlot.paths.bars)
    return {
      paths: uPlot.paths.bars({ size: [0.7, 48] }),
      fill: () => chartColor(index, themeNow()),
      points: { show: false }
    }
  if (kind === 'steps' && uPlot.paths.stepped) return { paths: uPlot.paths.stepped({ align: 1 }) }
  return {}
}

function axis(own: uPlot.Axis): uPlot.Axis {
  return {
    font: '12px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
    labelSize: 18,
    stroke: () => token('--muted'),
    ticks: { stroke: () => token('--line'), width: 1 },
    ...own,
    grid: { stroke: () => token('--line'), width: 1, ...own.grid }
  }
}
