// How the lines of a chart are drawn, and the bands behind them.
import uPlot from 'uplot'
import { CHART_COLORS, chartColor, themeNow } from './chart-colors.ts'
import type { ChartSeries } from './chart-options.ts'
import { LANE_SCALE } from './lanes.ts'

const WIDTH = 1.5
const GHOST_WIDTH = 1.25

function dashOf(color: number, ghost: boolean | undefined): number[] {
  return ghost ? [4, 3] : [...(CHART_COLORS[color % CHART_COLORS.length]?.dash ?? [])]
}

export function lineOf({ label, unit, kind = 'line', ghost }: ChartSeries, color: number): uPlot.Series {
  return {
    label,
    scale: unit,
    stroke: () => chartColor(color, themeNow()),
    dash: dashOf(color, ghost),
    width: ghost ? GHOST_WIDTH : WIDTH,
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

/** The edges of a band have no stroke of their own. */
export function edgeOf(unit: string): uPlot.Series {
  return { scale: unit, width: 0, points: { show: false } }
}

const BAND = { light: 0.18, dark: 0.22 } as const

export function bandColor(color: number, ghost: boolean | undefined): string {
  const theme = themeNow()
  const alpha = Math.round(255 * BAND[theme] * (ghost ? 0.5 : 1))
  return `${chartColor(color, theme)}${alpha.toString(16).padStart(2, '0')}`
}
