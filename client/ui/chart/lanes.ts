// Draws the states of a lane as coloured runs with their texts.
import type uPlot from 'uplot'
import { FONT_FAMILY } from './chart-axes.ts'
import { chartColor, themeNow, token } from './chart-colors.ts'
import type { ChartSeries, LaneRun } from './chart-series.ts'

export const LANE_SCALE = 'lane'
const BAR = 26
const GHOST = 6
const SEAM = 1.5
const SEAM_FROM = 6
const RADIUS = 3
const TEXT_MARGIN = 6
const TINT = { light: 0.32, dark: 0.38 } as const
const REST_TINT = { light: 0.13, dark: 0.16 } as const
const FADED = 0.2

/** Distance of a lane's middle from the top of the chart, in pixels. */
export const LANE_MIDDLE = BAR / 2

export function laneHeight({ runs = [] }: ChartSeries): number {
  return BAR + (runs.some(({ ghost }) => ghost) ? GHOST + 2 : 0)
}

export function drawLane(chart: uPlot, { runs = [] }: ChartSeries): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, 0, bbox.width, ctx.canvas.height)
  ctx.clip()
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  for (const run of runs) drawRun(chart, run)
  ctx.restore()
}

function drawRun(chart: uPlot, { fromMs, toMs, text, color, ghost, faded }: LaneRun): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  const theme = themeNow()
  const edge = (at: number) =>
    Math.min(Math.max(chart.valToPos(at, 'x', true), bbox.left), bbox.left + bbox.width)
  const left = edge(fromMs)
  const whole = edge(toMs) - left
  const width = Math.max(whole > SEAM_FROM * ratio ? whole - SEAM * ratio : whole, ratio)
  const top = bbox.top + (ghost ? (BAR + 2) * ratio : 0)
  ctx.fillStyle = color === null ? token('--muted') : chartColor(color, theme)
  ctx.globalAlpha = (color === null ? REST_TINT : TINT)[theme] * (ghost ? 1.4 : 1) * (faded ? FADED : 1)
  ctx.beginPath()
  ctx.roundRect(left, top, width, (ghost ? GHOST : BAR) * ratio, Math.min(RADIUS * ratio, width / 2))
  ctx.fill()
  ctx.globalAlpha = 1
  if (ghost || faded) return
  // Omit a text that does not fit; key, tooltip and table show it.
  ctx.font = `${12 * ratio}px ${FONT_FAMILY}`
  ctx.fillStyle = token('--text')
  if (ctx.measureText(text).width + 2 * TEXT_MARGIN * ratio <= width)
    ctx.fillText(text, left + TEXT_MARGIN * ratio, top + (BAR / 2) * ratio)
}
