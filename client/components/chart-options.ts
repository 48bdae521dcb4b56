// How the portal's charts look, in the words of uPlot: axes, lines, colours of the theme, and ranges that survive any number.
import uPlot from 'uplot'
import { CHART_COLORS, chartColor } from '../lib/chart-colors.ts'

export interface ChartSeries {
  label: string
  /** Series of one unit share an axis; two units have one each side. */
  unit: string
  /** Null is a gap; undefined belongs to another series, and is drawn through. */
  values: readonly (number | null | undefined)[]
  kind?: 'line' | 'bars' | 'steps'
  /** Which of the ten colours, from 0; else its place in the list. */
  color?: number
  /** Of another time, to compare with: faint and dotted, out of the keyboard's reach. */
  ghost?: boolean
  /** What stands at the axis instead of numbers. */
  texts?: readonly { ordinal: number; text: string }[]
}

export function themeNow(): 'light' | 'dark' {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

const FONT = '12px system-ui, sans-serif'
/** The same everywhere, so that charts below each other have their times in line. */
const AXIS_WIDTH = 58
const LABEL_WIDTH = 18
const END_WIDTH = 24
/** Beyond, the difference of two numbers is infinite. */
const LIMIT = 8.9e307
const HUGE = 1e12

/** Of both axes, where other charts stand below this one. */
export interface Frame {
  width: number
  height: number
  zone: string
  /** Keeps the place of a second axis free. */
  sides: 1 | 2
}

type Ordinals = NonNullable<ChartSeries['texts']>

export function optionsOf(
  series: readonly ChartSeries[],
  { width, height, zone, sides }: Frame
): uPlot.Options {
  const units = [...new Set(series.map(({ unit }) => unit))]
  const textsOf = (unit: string) => series.find((one) => one.unit === unit)?.texts
  const numbered = series.some(({ color }) => color !== undefined)
  const right = units.length < 2 && sides === 2 ? AXIS_WIDTH + LABEL_WIDTH + END_WIDTH : END_WIDTH
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
    legend: { show: false },
    padding: [10, units.length < 2 ? right : numbered ? END_WIDTH : 8, 0, 0],
    cursor: { drag: { x: false, y: false } },
    scales: Object.fromEntries(
      units.map((unit) => {
        const texts = textsOf(unit)
        const barred = series.some((one) => one.unit === unit && one.kind === 'bars')
        return [
          unit,
          {
            range: (_: uPlot, min: number, max: number) => {
              if (texts) return laneRange(texts)
              return barred ? barRange(min, max) : valueRange(min, max)
            }
          }
        ]
      })
    ),
    series: [{}, ...series.map((one, index) => lineOf(one, one.color ?? index))],
    axes: [
      axis({ values: TIMES, size: 44 }),
      ...units.map((unit, index) =>
        axis({
          scale: unit,
          // States say what they are in words; the name stands above.
          ...(textsOf(unit) ? {} : { label: unit }),
          side: index === 0 ? 3 : 1,
          size: textsOf(unit) ? AXIS_WIDTH + LABEL_WIDTH : AXIS_WIDTH,
          grid: { show: index === 0 },
          ...ticksOf(textsOf(unit))
        })
      )
    ],
    hooks: {
      drawClear: [(chart) => drawThinWhereDense(chart, series)],
      ...(numbered ? { draw: [(chart: uPlot) => drawNumbers(chart, series)] } : {})
    }
  }
}

const WIDTH = 1.5
const GHOST_WIDTH = 1.25
/** Beyond, a line goes up and down within each pixel. */
const DENSE_PER_PIXEL = 2

/**
 * A line that goes up and down within each pixel is a band: dashes cannot be seen in it, and together with a width of more
 * than a pixel they make each frame several times as long.
 */
function drawThinWhereDense(chart: uPlot, series: readonly ChartSeries[]): void {
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

function lineOf({ label, unit, kind = 'line', ghost }: ChartSeries, color: number): uPlot.Series {
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

function axis(own: uPlot.Axis): uPlot.Axis {
  return {
    font: FONT,
    labelFont: FONT,
    labelSize: LABEL_WIDTH,
    stroke: () => token('--muted'),
    ticks: { stroke: () => token('--line'), width: 1 },
    ...own,
    grid: { stroke: () => token('--line'), width: 1, ...own.grid }
  }
}

function ticksOf(texts: Ordinals | undefined): uPlot.Axis {
  if (texts)
    return {
      splits: () => texts.map(({ ordinal }) => ordinal),
      values: (_, splits) =>
        splits.map((at) => shortText(texts.find(({ ordinal }) => ordinal === at)?.text ?? ''))
    }
  return {
    splits: (_chart, _index, min, max, increment) => {
      // Of the largest numbers uPlot finds no step.
      if (max - min > HUGE || !(increment > 0)) return [min, min / 2 + max / 2, max]
      const first = Math.ceil(min / increment)
      const count = Math.max(Math.floor(max / increment) - first + 1, 0)
      return Array.from({ length: count }, (_, step) => rounded((first + step) * increment, increment))
    },
    values: (_, splits) => splits.map(axisNumber)
  }
}

// Additions of tenths are not exact.
function rounded(value: number, increment: number): number {
  const digits = Math.max(0, Math.min(20, Math.ceil(-Math.log10(increment)) + 1))
  return Number(value.toFixed(digits))
}

const AXIS_TEXT_CHARACTERS = 7

function shortText(text: string): string {
  const characters = [...text]
  return characters.length > AXIS_TEXT_CHARACTERS
    ? `${characters.slice(0, AXIS_TEXT_CHARACTERS - 1).join('')}…`
    : text
}

function axisNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e7 || (size > 0 && size < 1e-4)) return value.toExponential(1).replace('e+', 'e')
  return value.toLocaleString('en', { maximumFractionDigits: 6 })
}

function laneRange(texts: Ordinals): uPlot.Range.MinMax {
  const ordinals = texts.map(({ ordinal }) => ordinal)
  return [Math.min(...ordinals) - 0.25, Math.max(...ordinals) + 0.25]
}

function valueRange(min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null || Number.isNaN(min) || Number.isNaN(max)) return [0, 1]
  if (Math.max(Math.abs(min), Math.abs(max)) > 1e300)
    return [Math.max(min, -LIMIT), min === max ? LIMIT : Math.min(max, LIMIT)]
  return uPlot.rangeNum(min, max, 0.1, true)
}

/** Bars are compared by their lengths: they stand on nothing. */
function barRange(min: number | null, max: number | null): uPlot.Range.MinMax {
  const floor = Math.min(min ?? 0, 0)
  const ceiling = Math.max(max ?? 0, 0)
  if (floor === ceiling) return [0, 1]
  const [low, high] = valueRange(floor, ceiling)
  return [floor === 0 ? 0 : low, ceiling === 0 ? 0 : high]
}

// Rows of uPlot: from which step on, the tick, and what is added where the year, month or day changes.
const NONE = [null, null, null, null] as const
const DAY_BELOW = ['\n{DD}-{MMM}', null, '\n{DD}-{MMM}', null, null, null, 1] as const
const TIMES = [
  [31_536_000, '{YYYY}', null, null, ...NONE, 1],
  [2_419_200, '{MMM}', '\n{YYYY}', null, ...NONE, 1],
  [86_400, '{DD}-{MMM}', '\n{YYYY}', null, ...NONE, 1],
  [60, '{HH}:{mm}', ...DAY_BELOW],
  [1, '{HH}:{mm}:{ss}', ...DAY_BELOW],
  [0.001, '{ss}.{fff}', ...DAY_BELOW]
] as unknown as uPlot.Axis.Values

/** A line is told by its number at its end as well. */
function drawNumbers(chart: uPlot, series: readonly ChartSeries[]): void {
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
