// How the portal's charts look, in the words of uPlot: axes, lines, colours of the theme, and ranges that survive any number.
import uPlot from 'uplot'
import {
  AXIS_WIDTH,
  axis,
  drawUnits,
  END_WIDTH,
  TICKS,
  TIME_AXIS_HEIGHT,
  TIMES,
  UNIT_HEIGHT
} from './chart-axes.ts'
import type { ChartLimit } from './chart-marks.ts'
import { rangeOf } from './chart-ranges.ts'
import { bandColor, edgeOf, lineOf } from './chart-strokes.ts'
import { drawEndLabels } from './end-labels.ts'
import { LANE_SCALE, type LaneRun } from './lanes.ts'

type Values = readonly (number | null | undefined)[]

export interface ChartSeries {
  label: string
  /** Series of one unit share an axis; two units have one each side. */
  unit: string
  /** Null is a gap; undefined belongs to another series, and is drawn through. */
  values: Values
  kind?: 'line' | 'bars' | 'steps' | 'lane'
  /** Which of the ten colours, from 0; else its place in the list. */
  color?: number
  /** Of another time, to compare with: paler and dashed, out of the keyboard's reach. */
  ghost?: boolean
  /** The lowest and highest of what each value is the average of: a band behind the line. */
  band?: { low: Values; high: Values }
  /** What its axis shows at least, as 0 to 100 for a share. */
  bounds?: readonly [number, number]
  /** Of a lane, in the order of time. */
  runs?: readonly LaneRun[]
}

/** Of both axes, where other charts stand below this one. */
export interface Frame {
  width: number
  height: number
  zone: string
  /** Keeps the place of a second axis free. */
  sides: 1 | 2
  /** Whether the times stand below it. */
  timeAxis: boolean
}

export const isLane = ({ kind }: ChartSeries) => kind === 'lane'

const FLAT_AXIS_HEIGHT = 8

/** Where a second axis is missing, its place; where lines have numbers, the place of these. */
function rightPadding(units: number, sides: 1 | 2, numbered: boolean): number {
  if (units === 2) return 0
  return (sides === 2 ? AXIS_WIDTH : 0) + (numbered || sides === 2 ? END_WIDTH : 8)
}

export function optionsOf(
  series: readonly ChartSeries[],
  { width, height, zone, sides, timeAxis }: Frame,
  limitsNow?: () => readonly ChartLimit[]
): uPlot.Options {
  const lanes = series.filter(isLane)
  const lines = series.filter((one) => !isLane(one))
  const units = [...new Set(lines.map(({ unit }) => unit))]
  const numbered = series.some(({ color }) => color !== undefined)
  const drawnSeries = series.map((one, index) => lineOf(one, one.color ?? index))
  const edges = bandsOf(series)
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
    legend: { show: false },
    padding: [
      lanes.length > 0 ? 0 : UNIT_HEIGHT,
      rightPadding(units.length, sides, numbered),
      timeAxis ? 0 : 4,
      0
    ],
    scales: {
      ...Object.fromEntries(units.map((unit) => [unit, { range: rangeOf(lines, unit, limitsNow) }])),
      ...(lanes.length > 0 ? { [LANE_SCALE]: { range: () => [0, 1] as uPlot.Range.MinMax } } : {})
    },
    series: [{}, ...drawnSeries, ...edges.series],
    bands: edges.bands,
    axes: [
      axis({
        values: timeAxis ? TIMES : (_, splits) => splits.map(() => ''),
        size: timeAxis ? TIME_AXIS_HEIGHT : FLAT_AXIS_HEIGHT
      }),
      ...units.map((unit, index) =>
        axis({
          scale: unit,
          side: index === 0 ? 3 : 1,
          size: AXIS_WIDTH + (index === 0 ? 0 : END_WIDTH),
          // The numbers of the lines stand between the chart and its right axis.
          ...(index === 0 ? {} : { gap: END_WIDTH, ticks: { show: false } }),
          grid: { show: index === 0 },
          ...TICKS
        })
      ),
      ...(units.length === 0 ? [axis({ scale: LANE_SCALE, size: AXIS_WIDTH, splits: () => [] })] : [])
    ],
    hooks: {
      draw: [
        (chart) => drawUnits(chart, units),
        ...(numbered ? [(chart: uPlot) => drawEndLabels(chart, series)] : [])
      ]
    }
  }
}

/** The edges of the bands are lines without a stroke, after all others. */
function bandsOf(series: readonly ChartSeries[]): { series: uPlot.Series[]; bands: uPlot.Band[] } {
  const banded = series.flatMap((one, index) => (one.band ? [{ one, color: one.color ?? index }] : []))
  const first = series.length + 1
  return {
    series: banded.flatMap(({ one: { unit } }) => [edgeOf(unit), edgeOf(unit)]),
    bands: banded.map(({ color, one }, place) => ({
      series: [first + 2 * place, first + 2 * place + 1],
      fill: () => bandColor(color, one.ghost)
    }))
  }
}
