// The numbers at the ends of lines, in a strip of their own between the chart and its right axis.
import type uPlot from 'uplot'
import { END_WIDTH, FONT_FAMILY } from './chart-axes.ts'
import { chartColor, themeNow } from './chart-colors.ts'
import { type ChartSeries, isLane } from './chart-series.ts'

const HEIGHT = 13

/** Heights as close to the wanted ones as they can be without two of them meeting, within the chart. */
export function spread(wanted: readonly number[], apart: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const placed = [...wanted]
  let least = top
  for (const index of order) {
    placed[index] = Math.max(wanted[index] ?? 0, least)
    least = (placed[index] ?? 0) + apart
  }
  let most = bottom
  for (const index of order.reverse()) {
    placed[index] = Math.min(placed[index] ?? 0, most)
    most = (placed[index] ?? 0) - apart
  }
  return placed
}

/** A line is told by its number at its end as well. */
export function drawEndLabels(chart: uPlot, series: readonly ChartSeries[]): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  const ends = series.flatMap((one, index) => {
    const value = one.ghost || isLane(one) ? null : lastValue(chart, index + 1)
    return value === null || one.color === undefined
      ? []
      : [{ color: one.color, y: chart.valToPos(value, one.unit, true) }]
  })
  const heights = spread(
    ends.map(({ y }) => y),
    HEIGHT * ratio,
    bbox.top,
    bbox.top + bbox.height
  )
  ctx.save()
  ctx.font = `600 ${12 * ratio}px ${FONT_FAMILY}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'center'
  ends.forEach(({ color }, index) => {
    ctx.fillStyle = chartColor(color, themeNow())
    ctx.fillText(String(color + 1), bbox.left + bbox.width + (END_WIDTH / 2) * ratio, heights[index] ?? 0)
  })
  ctx.restore()
}

/** The last one in view. */
function lastValue(chart: uPlot, index: number): number | null {
  const values = chart.data[index] ?? []
  const times = chart.data[0]
  const max = chart.scales.x?.max ?? Number.POSITIVE_INFINITY
  let last = values.length - 1
  while (last >= 0 && (values[last] == null || (times[last] ?? 0) > max)) last -= 1
  return values[last] ?? null
}
