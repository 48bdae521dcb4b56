// The ticks and labels at the axes of a chart, and the numbers at the ends of its lines.
import type uPlot from 'uplot'
import { chartColor, themeNow, token } from './chart-colors.ts'
import { type ChartSeries, isLane } from './chart-series.ts'

export const FONT_FAMILY = 'system-ui, sans-serif'
export const FONT = `12px ${FONT_FAMILY}`
/** Width of a value axis. Constant, so that charts below each other are aligned. */
export const AXIS_WIDTH = 54
/** Width of the space between the chart and its right axis, for the numbers at the ends of the lines. */
export const END_WIDTH = 24
/** Height of the space above the chart, for units and names of marks. */
export const UNIT_HEIGHT = 26
export const TIME_AXIS_HEIGHT = 46
/** Height of the time axis of a chart that shows no times. */
export const FLAT_AXIS_HEIGHT = 12
/** Width of a time such as "14:05:30" and of the space to the next time, in pixels. */
export const TIME_SPACE = 72
/** Texts and strokes on paper, as a share of those on the screen. */
export const PRINTED_SIZE = 0.8
const HUGE = 1e12

export function axis(options: uPlot.Axis): uPlot.Axis {
  return {
    font: FONT,
    stroke: () => token('--muted'),
    ...options,
    ticks: { stroke: () => token('--line'), width: 1, ...options.ticks },
    grid: { stroke: () => token('--line'), width: 1, ...options.grid }
  }
}

const labels = (_: uPlot, splits: readonly (number | null)[]) =>
  splits.map((value) => (value === null ? '' : axisNumber(value, splits)))

export const LOG_TICKS: uPlot.Axis = { values: labels }
export const TICKS: uPlot.Axis = {
  splits: (_chart, _index, min, max, increment) => {
    // uPlot finds no step for the largest numbers.
    if (max - min > HUGE || !(increment > 0)) return [min, min / 2 + max / 2, max]
    const firstStep = Math.ceil(min / increment)
    const count = Math.max(Math.floor(max / increment) - firstStep + 1, 0)
    return Array.from({ length: count }, (_, step) => roundTo((firstStep + step) * increment, increment))
  },
  values: labels
}

function roundTo(value: number, increment: number): number {
  const digits = Math.max(0, Math.min(20, Math.ceil(-Math.log10(increment)) + 1))
  return Number(value.toFixed(digits))
}

const EXPONENT_DIGITS = 4

/** The label of a value, with enough digits to differ from the labels of the other values. */
function axisNumber(value: number, allValues: readonly (number | null)[]): string {
  const size = Math.abs(value)
  if (size < 1e7 && (size === 0 || size >= 1e-4))
    return value.toLocaleString('en', { maximumFractionDigits: 6 })
  const text = (digits: number) => allValues.map((item) => (item ?? 0).toExponential(digits))
  let digits = 1
  while (digits < EXPONENT_DIGITS && new Set(text(digits)).size < allValues.length) digits += 1
  return value.toExponential(digits).replace('e+', 'e')
}

export function drawUnits({ ctx, bbox }: uPlot, ratio: number, units: readonly string[]): void {
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

/** Heights within the chart, at least `distance` from each other, as close to `targets` as possible. */
export function spread(targets: readonly number[], distance: number, top: number, bottom: number): number[] {
  const order = targets.map((_, index) => index).sort((a, b) => (targets[a] ?? 0) - (targets[b] ?? 0))
  const heights = [...targets]
  let minY = top
  for (const index of order) {
    heights[index] = Math.max(targets[index] ?? 0, minY)
    minY = (heights[index] ?? 0) + distance
  }
  let maxY = bottom
  for (const index of order.reverse()) {
    heights[index] = Math.min(heights[index] ?? 0, maxY)
    maxY = (heights[index] ?? 0) - distance
  }
  return heights
}

/** Draws the number of each line at the line's end, between the chart and its right axis. */
export function drawEndLabels(chart: uPlot, ratio: number, series: readonly ChartSeries[]): void {
  const { ctx, bbox } = chart
  const ends = series.flatMap((item, index) => {
    const value = item.ghost || isLane(item) ? null : lastValue(chart, index + 1)
    return value === null || item.color === undefined
      ? []
      : [{ color: item.color, y: chart.valToPos(value, item.unit, true) }]
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
  let lastIndex = values.length - 1
  while (lastIndex >= 0 && (values[lastIndex] == null || (times[lastIndex] ?? 0) > max)) lastIndex -= 1
  return values[lastIndex] ?? null
}
