// The ticks and labels at the axes of a chart, and the numbers at the ends of its lines.
import type uPlot from 'uplot'
import { chartColor, themeNow, token } from './chart-colors.ts'
import { type ChartSeries, isLane } from './chart-series.ts'

export const FONT_FAMILY = 'system-ui, sans-serif'
const FONT = `12px ${FONT_FAMILY}`
/** Constant, so that charts below each other are aligned. */
export const AXIS_WIDTH = 54
/** Between the chart and its right axis, for the numbers at the ends of the lines. */
export const END_WIDTH = 24
/** Above the chart, for units and names of marks. */
export const UNIT_HEIGHT = 26
export const TIME_AXIS_HEIGHT = 46
/** Below a chart without times. */
export const FLAT_AXIS_HEIGHT = 12
/** "14:05:30" and the space between two of them, in pixels. */
export const TIME_SPACE = 72
const HUGE = 1e12

export function axis(own: uPlot.Axis): uPlot.Axis {
  return {
    font: FONT,
    stroke: () => token('--muted'),
    ...own,
    ticks: { stroke: () => token('--line'), width: 1, ...own.ticks },
    grid: { stroke: () => token('--line'), width: 1, ...own.grid }
  }
}

const labels = (_: uPlot, splits: readonly (number | null)[]) =>
  splits.map((at) => (at === null ? '' : axisNumber(at, splits)))

export const LOG_TICKS: uPlot.Axis = { values: labels }
export const TICKS: uPlot.Axis = {
  splits: (_chart, _index, min, max, increment) => {
    // uPlot finds no step for the largest numbers.
    if (max - min > HUGE || !(increment > 0)) return [min, min / 2 + max / 2, max]
    const first = Math.ceil(min / increment)
    const count = Math.max(Math.floor(max / increment) - first + 1, 0)
    return Array.from({ length: count }, (_, step) => rounded((first + step) * increment, increment))
  },
  values: labels
}

function rounded(value: number, increment: number): number {
  const digits = Math.max(0, Math.min(20, Math.ceil(-Math.log10(increment)) + 1))
  return Number(value.toFixed(digits))
}

const EXPONENT_DIGITS = 4

/** Uses enough digits to differ from the other labels. */
function axisNumber(value: number, all: readonly (number | null)[]): string {
  const size = Math.abs(value)
  if (size < 1e7 && (size === 0 || size >= 1e-4))
    return value.toLocaleString('en', { maximumFractionDigits: 6 })
  const text = (digits: number) => all.map((one) => (one ?? 0).toExponential(digits))
  let digits = 1
  while (digits < EXPONENT_DIGITS && new Set(text(digits)).size < all.length) digits += 1
  return value.toExponential(digits).replace('e+', 'e')
}

export function drawUnits({ ctx, bbox }: uPlot, units: readonly string[]): void {
  const ratio = devicePixelRatio
  ctx.save()
  ctx.font = `${12 * ratio}px ${FONT_FAMILY}`
  ctx.fillStyle = token('--muted')
  ctx.textBaseline = 'middle'
  const top = bbox.top - 17 * ratio
  units.forEach((unit, index) => {
    const fits = index > 0 || ctx.measureText(unit).width <= (AXIS_WIDTH - 8) * ratio
    const x =
      index > 0 ? bbox.left + bbox.width + END_WIDTH * ratio : fits ? bbox.left - 8 * ratio : 4 * ratio
    ctx.textAlign = index === 0 && fits ? 'right' : 'left'
    ctx.fillText(unit, x, top)
  })
  ctx.restore()
}

// uPlot's format: minimum step, label, and suffixes where the year, month or day changes.
const NONE = [null, null, null, null] as const
const DAY_BELOW = ['\n{DD}-{MMM}', null, '\n{DD}-{MMM}', null, null, null, 1] as const
export const TIMES = [
  [31_536_000_000, '{YYYY}', null, null, ...NONE, 1],
  [2_419_200_000, '{MMM}', '\n{YYYY}', null, ...NONE, 1],
  [86_400_000, '{DD}-{MMM}', '\n{YYYY}', null, ...NONE, 1],
  [60_000, '{HH}:{mm}', ...DAY_BELOW],
  [1_000, '{HH}:{mm}:{ss}', ...DAY_BELOW],
  [1, '{ss}.{fff}', ...DAY_BELOW]
] as unknown as uPlot.Axis.Values

const END_LABEL_HEIGHT = 13

/** Heights within the chart, at least `apart` from each other, as close to the wanted ones as possible. */
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

/** The numbers of the lines at their ends, between the chart and its right axis. */
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
    END_LABEL_HEIGHT * ratio,
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

function lastValue(chart: uPlot, index: number): number | null {
  const values = chart.data[index] ?? []
  const times = chart.data[0]
  const max = chart.scales.x?.max ?? Number.POSITIVE_INFINITY
  let last = values.length - 1
  while (last >= 0 && (values[last] == null || (times[last] ?? 0) > max)) last -= 1
  return values[last] ?? null
}
