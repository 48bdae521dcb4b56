// Draws the states of a lane as coloured runs with their texts.
import type uPlot from 'uplot'
import { FONT_FAMILY } from './chart-axes.ts'
import { stateColor, themeNow, token } from './chart-colors.ts'
import type { ChartSeries, LaneRun } from './chart-series.ts'

export const LANE_SCALE = 'lane'
const BAR_HEIGHT = 26
const GHOST_HEIGHT = 6
const SEAM_WIDTH = 1.5
const SEAM_RUN_WIDTH_MIN = 6
const RADIUS = 3
const TEXT_MARGIN = 6
const FADED_ALPHA = 0.2

/** Distance of a lane's middle from the top of the chart, in pixels. */
export const LANE_MIDDLE = BAR_HEIGHT / 2

export function laneHeight({ runs = [] }: ChartSeries): number {
  return BAR_HEIGHT + (runs.some(({ ghost }) => ghost) ? GHOST_HEIGHT + 2 : 0)
}

export function drawLane(chart: uPlot, ratio: number, { runs = [] }: ChartSeries): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, 0, bbox.width, ctx.canvas.height)
  ctx.clip()
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  for (const run of runs) drawRun(chart, ratio, run)
  ctx.restore()
}

function drawRun(chart: uPlot, ratio: number, run: LaneRun): void {
  const { fromMs, toMs, text, color, ghost, faded } = run
  const { ctx, bbox } = chart
  const edge = (ms: number) =>
    Math.min(Math.max(chart.valToPos(ms, 'x', true), bbox.left), bbox.left + bbox.width)
  const left = edge(fromMs)
  const fullWidth = edge(toMs) - left
  const isShare = run.top - run.bottom < 1
  const hasSeam = !isShare && fullWidth > SEAM_RUN_WIDTH_MIN * ratio
  const width = Math.max(hasSeam ? fullWidth - SEAM_WIDTH * ratio : fullWidth, ratio)
  const laneHeight = (ghost ? GHOST_HEIGHT : BAR_HEIGHT) * ratio
  const laneTop = bbox.top + (ghost ? (BAR_HEIGHT + 2) * ratio : 0)
  const top = laneTop + (1 - run.top) * laneHeight
  // A state that lasts only a moment is still visible.
  const height = Math.max((run.top - run.bottom) * laneHeight, ratio)
  ctx.fillStyle = stateColor(color, themeNow())
  ctx.globalAlpha = faded ? FADED_ALPHA : 1
  ctx.beginPath()
  if (isShare) ctx.rect(left, top, width, height)
  else ctx.roundRect(left, top, width, height, Math.min(RADIUS * ratio, width / 2))
  ctx.fill()
  ctx.globalAlpha = 1
  if (ghost || faded || isShare) return
  // Omit a text that does not fit; key, tooltip and table show it.
  ctx.font = `${12 * ratio}px ${FONT_FAMILY}`
  ctx.fillStyle = token('--text')
  if (ctx.measureText(text).width + 2 * TEXT_MARGIN * ratio <= width)
    ctx.fillText(text, left + TEXT_MARGIN * ratio, top + (BAR_HEIGHT / 2) * ratio)
}
