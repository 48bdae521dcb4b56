// The options of uPlot for the portal's charts: axes and their ranges, lines and bands in the colours of the theme.
import uPlot from 'uplot'
import {
  AXIS_WIDTH,
  axis,
  drawEndLabels,
  drawUnits,
  END_WIDTH,
  FLAT_AXIS_HEIGHT,
  FONT,
  LOG_TICKS,
  TICKS,
  TIME_AXIS_HEIGHT,
  TIME_SPACE,
  TIMES,
  UNIT_HEIGHT
} from './chart-axes.ts'
import { CHART_COLORS, chartColor, themeNow } from './chart-colors.ts'
import type { ChartLimit } from './chart-marks.ts'
import { type AxisChoice, type ChartSeries, isLane } from './chart-series.ts'
import { LANE_SCALE } from './lanes.ts'

export interface Frame {
  width: number
  height: number
  zone: string
  /** 2 reserves space for a second axis. */
  sides: 1 | 2
  timeAxis: boolean
  axes?: Readonly<Record<string, AxisChoice>> | undefined
  /** How large texts and strokes are: more than 1 for paper, where a pixel of the chart is smaller. */
  scale?: number
}

/** Space for a missing second axis and for the numbers at the ends of the lines. */
function rightPadding(units: number, sides: 1 | 2, hasNumbers: boolean): number {
  if (units === 2) return 0
  return (sides === 2 ? AXIS_WIDTH : 0) + (hasNumbers || sides === 2 ? END_WIDTH : 8)
}

export function optionsOf(
  series: readonly ChartSeries[],
  { width, height, zone, sides, timeAxis, axes, scale = 1 }: Frame,
  limitsNow: () => readonly ChartLimit[] = () => []
): uPlot.Options {
  const lines = series.filter((item) => !isLane(item))
  const units = [...new Set(lines.map(({ unit }) => unit))]
  const hasNumbers = series.some(({ color }) => color !== undefined)
  const edges = bandsOf(series)
  return enlarged(scale, {
    width,
    height,
    ms: 1,
    tzDate: (ms) => uPlot.tzDate(new Date(ms), zone),
    legend: { show: false },
    padding: [lines.length > 0 ? UNIT_HEIGHT : 0, rightPadding(units.length, sides, hasNumbers), 0, 0],
    scales: {
      [LANE_SCALE]: { range: () => [0, 1] },
      ...Object.fromEntries(units.map((unit) => [unit, valueScale(lines, unit, limitsNow, axes?.[unit])]))
    },
    series: [{}, ...series.map((item, index) => lineOf(item, item.color ?? index)), ...edges.series],
    bands: edges.bands,
    axes: [
      axis({
        space: TIME_SPACE,
        values: timeAxis ? TIMES : (_, splits) => splits.map(() => ''),
        size: timeAxis ? TIME_AXIS_HEIGHT : FLAT_AXIS_HEIGHT
      }),
      ...units.map((unit, index) =>
        axis({
          scale: unit,
          side: index === 0 ? 3 : 1,
          size: AXIS_WIDTH + (index === 0 ? 0 : END_WIDTH),
          // The numbers of the lines are between the chart and its right axis.
          ...(index === 0 ? {} : { gap: END_WIDTH, ticks: { show: false } }),
          grid: { show: index === 0 },
          ...(axes?.[unit]?.log ? LOG_TICKS : TICKS)
        })
      ),
      ...(units.length === 0 ? [axis({ scale: LANE_SCALE, size: AXIS_WIDTH, splits: () => [] })] : [])
    ],
    hooks: {
      draw: [
        (chart) => drawUnits(chart, scale * devicePixelRatio, units),
        ...(hasNumbers ? [(chart: uPlot) => drawEndLabels(chart, scale * devicePixelRatio, series)] : [])
      ]
    }
  })
}

/** The options with larger texts, strokes and spaces, because uPlot itself draws only as sharp as the screen. */
function enlarged(scale: number, options: uPlot.Options): uPlot.Options {
  if (scale === 1) return options
  const { padding, series, axes = [] } = options
  const times = (length: unknown, otherwise: number) =>
    scale * (typeof length === 'number' ? length : otherwise)
  return {
    ...options,
    padding: (padding ?? []).map((side) => times(side, 0)) as uPlot.Padding,
    series: series.map((line) => ({
      ...line,
      width: times(line.width, 1),
      dash: line.dash?.map((length) => scale * length) ?? []
    })),
    axes: axes.map((item) => ({
      ...item,
      font: FONT.replace(/\d+/, (size) => String(scale * Number(size))),
      size: times(item.size, 50),
      gap: times(item.gap, 5),
      space: times(item.space, 30),
      ticks: { ...item.ticks, width: scale, size: times(item.ticks?.size, 10) },
      grid: { ...item.grid, width: scale }
    }))
  }
}

function lineOf({ label, unit, kind = 'line', ghost }: ChartSeries, color: number): uPlot.Series {
  return {
    label,
    scale: unit,
    stroke: () => chartColor(color, themeNow()),
    dash: ghost ? [4, 3] : [...(CHART_COLORS[color % CHART_COLORS.length]?.dash ?? [])],
    width: ghost ? 1.25 : 1.5,
    alpha: ghost ? 0.55 : 1,
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
  if (kind === 'lane') return { scale: LANE_SCALE, paths: () => null, points: { show: false } }
  if (kind === 'steps' && uPlot.paths.stepped) return { paths: uPlot.paths.stepped({ align: 1 }) }
  return {}
}

const BAND = { light: 0.18, dark: 0.22 } as const

/** Band edges are series without a stroke, after all other series. */
function bandsOf(series: readonly ChartSeries[]): { series: uPlot.Series[]; bands: uPlot.Band[] } {
  const bandSeries = series.flatMap((item, index) =>
    item.band ? [{ item, color: item.color ?? index }] : []
  )
  const firstEdge = series.length + 1
  const edge = (scale: string): uPlot.Series => ({ scale, width: 0, points: { show: false } })
  return {
    series: bandSeries.flatMap(({ item: { unit } }) => [edge(unit), edge(unit)]),
    bands: bandSeries.map(({ color, item }, index) => ({
      series: [firstEdge + 2 * index, firstEdge + 2 * index + 1],
      fill: () => {
        const theme = themeNow()
        const alpha = Math.round(255 * BAND[theme] * (item.ghost ? 0.5 : 1))
        return `${chartColor(color, theme)}${alpha.toString(16).padStart(2, '0')}`
      }
    }))
  }
}

const LARGEST = 8.9e307
/** A limit further from the lines than this multiple of their span does not extend the axis. */
const LIMIT_REACH = 3

/** The scale of a unit. Bars start at zero; bounds and nearby limits are visible. The person's choice overrides this. */
function valueScale(
  series: readonly ChartSeries[],
  unit: string,
  limitsNow: () => readonly ChartLimit[],
  choice: AxisChoice | undefined
): uPlot.Scale {
  const unitSeries = series.filter((item) => item.unit === unit)
  const hasBars = unitSeries.some(({ kind }) => kind === 'bars')
  const bounds = unitSeries.flatMap((item) => item.bounds ?? [])
  const log = choice?.log ?? false
  function automatic(min: number | null, max: number | null): uPlot.Range.MinMax {
    if (min === null || max === null) return log ? [1, 10] : bounds.length > 0 ? spanOf(bounds) : [0, 1]
    if (log) return min > 0 ? uPlot.rangeLog(min, max, 10, true) : [1, 10]
    if (bounds.length > 0) return boundedRange(min, max, spanOf(bounds))
    if (hasBars) return barRange(min, max)
    const reach = LIMIT_REACH * (max - min)
    const nearValues = limitsNow()
      .filter((limit) => limit.unit === unit && limit.value >= min - reach && limit.value <= max + reach)
      .map(({ value }) => value)
    return lineRange(Math.min(min, ...nearValues), Math.max(max, ...nearValues))
  }
  return {
    distr: log ? 3 : 1,
    range: (_, min, max) => {
      const [low, high] = automatic(min, max)
      const ends: [number, number] = [choice?.min ?? Number(low), choice?.max ?? Number(high)]
      // An end that the person chose may be beyond the automatic other end.
      return ends[0] < ends[1] ? ends : choice?.min == null ? [ends[1] - 1, ends[1]] : [ends[0], ends[0] + 1]
    }
  }
}

const spanOf = (bounds: readonly number[]): [number, number] => [Math.min(...bounds), Math.max(...bounds)]

function boundedRange(min: number, max: number, [low, high]: [number, number]): uPlot.Range.MinMax {
  const [lineLow, lineHigh] = lineRange(min, max)
  return [min < low ? lineLow : low, max > high ? lineHigh : high]
}

function lineRange(min: number, max: number): uPlot.Range.MinMax {
  if (Math.max(Math.abs(min), Math.abs(max)) > 1e300)
    return [Math.max(min, -LARGEST), min === max ? LARGEST : Math.min(max, LARGEST)]
  return uPlot.rangeNum(min, max, 0.1, true)
}

function barRange(min: number, max: number): uPlot.Range.MinMax {
  const [floor, ceiling] = [Math.min(min, 0), Math.max(max, 0)]
  if (floor === ceiling) return [0, 1]
  const [low, high] = lineRange(floor, ceiling)
  return [floor === 0 ? 0 : low, ceiling === 0 ? 0 : high]
}
