// How the lines of a chart are drawn, and the numbers at their ends.
import uPlot from 'uplot'
import { CHART_COLORS, chartColor } from '../lib/chart-colors.ts'
import type { ChartSeries } from './chart-options.ts'
import { themeNow } from './chart-theme.ts'

const WIDTH = 1.5
const GHOST_WIDTH = 1.25
/** Beyond, a line goes up and down within each pixel. */
const DENSE_PER_PIXEL = 2

/**
 * A line that goes up and down within each pixel is a band: dashes cannot be seen in it, and together with a width of more
 * than a pixel they make each frame several times as long.
 */
export function drawThinWhereDense(chart: uPlot, series: readonly ChartSeries[]): void {
  const [first = 0, last = 0] = chart.series[0]?.idxs ?? []
  const dense = last - first > DENSE_PER_PIXEL * chart.bbox.width
  series.forEach(({ color, ghost, kind }, index) => {
    const drawn = chart.series[index + 1]
    if (!drawn || (kind ?? 'line') !== 'line') return
    drawn.dash = dense ? [] : dashOf(color ?? index, ghost)
    drawn.width = dense ? 1 / devicePixelRatio : ghost ? GHOST_WIDTH : WIDTH
  })
}

function dashOf(color: number, ghost: boolean | undefined): number[] {
  return ghost ? [1, 4] : [...(CHART_COLORS[color % CHART_COLORS.length]?.dash ?? [])]
}

export function lineOf({ label, unit, kind = 'line', ghost }: ChartSeries, color: number): uPlot.Series {
  return {
    label,
    scale: unit,
    stroke: () => chartColor(color, themeNow()),
    dash: dashOf(color, ghost),
    width: ghost ? GHOST_WIDTH : WIDTH,
    alpha: ghost ? 0.75 : 1,
    ...(ghost ? { points: { show: false } } : {}),
    ...pathsOf(kind, color)
  }
}

function pathsOf(kind: ChartSeries['kind'], color: number): Partial<uPlot.Series> {
  if (kind === 'bars' && uPlot.paths.bars)
    return {
      paths: uPlot.paths.bars({ size: [0.7, 48] }),
      fill: () => chartColor(color, themeNow()),
      points: { show: false }
    }
  if (kind === 'steps' && uPlot.paths.stepped) return { paths: uPlot.paths.stepped({ align: 1 }) }
  return {}
}

/** A line is told by its number at its end as well. */
export function drawNumbers(chart: uPlot, series: readonly ChartSeries[]): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  const taken: number[] = []
  ctx.save()
  ctx.font = `600 ${11 * ratio}px system-ui, sans-serif`
  ctx.textBaseline = 'middle'
  series.forEach(({ color, unit, ghost }, index) => {
    if (color === undefined || ghost) return
    const values = chart.data[index + 1] ?? []
    let last = values.length - 1
    const times = chart.data[0]
    const { max = 0 } = chart.scales.x ?? {}
    while (last >= 0 && (values[last] == null || (times[last] ?? 0) > (max ?? 0))) last -= 1
    const value = values[last]
    if (value == null) return
    const x = Math.min(chart.valToPos(times[last] ?? 0, 'x', true), bbox.left + bbox.width) + 4 * ratio
    let y = Math.min(Math.max(chart.valToPos(value, unit, true), bbox.top), bbox.top + bbox.height)
    while (taken.some((other) => Math.abs(other - y) < 11 * ratio)) y += 11 * ratio
    taken.push(y)
    ctx.fillStyle = chartColor(color, themeNow())
    ctx.fillText(String(color + 1), x, y)
  })
  ctx.restore()
}
