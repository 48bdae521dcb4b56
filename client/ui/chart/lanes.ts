// Lanes of states below each other: what held for how long, as coloured runs with their words in them.
import type uPlot from 'uplot'
import { FONT_FAMILY } from './chart-axes.ts'
import { chartColor, themeNow, token } from './chart-colors.ts'
import type { ChartSeries } from './chart-options.ts'

export interface LaneRun {
  /** Unix seconds. */
  from: number
  to: number
  text: string
  /** One of the ten; null for a state of rest, as off. */
  color: number | null
  /** Of another time, to compare with: a thin strip below. */
  ghost?: boolean
}

export const LANE_SCALE = 'lane'
const LABEL = 20
const BAR = 26
const GHOST = 6
const GAP = 6
const LANE = LABEL + BAR + GAP
/** Between two runs. */
const SEAM = 1.5
/** Narrower runs have none. */
const SEAM_FROM = 6
const RADIUS = 3
const TEXT_MARGIN = 6
const TINT = { light: 0.32, dark: 0.38 } as const
const REST_TINT = { light: 0.13, dark: 0.16 } as const

const hasGhost = ({ runs = [] }: ChartSeries) => runs.some(({ ghost }) => ghost)
const heightOf = (lane: ChartSeries) => LANE + (hasGhost(lane) ? GHOST + 2 : 0)

/** Pixels, without the axis of times. */
export function lanesHeight(lanes: readonly ChartSeries[]): number {
  return lanes.reduce((sum, lane) => sum + heightOf(lane), 0)
}

/** Where the bar of a lane has its middle, from the top of the chart, in pixels. */
export function laneMiddle(lanes: readonly ChartSeries[], index: number): number {
  return lanesHeight(lanes.slice(0, index)) + LABEL + BAR / 2
}

export function drawLanes(chart: uPlot, lanes: readonly ChartSeries[]): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, 0, bbox.width, ctx.canvas.height)
  ctx.clip()
  ctx.textBaseline = 'middle'
  let top = bbox.top
  for (const lane of lanes) {
    drawName(ctx, lane, bbox.left, top + (LABEL / 2) * ratio, ratio)
    for (const run of lane.runs ?? []) drawRun(chart, run, top + LABEL * ratio, ratio)
    top += heightOf(lane) * ratio
  }
  ctx.restore()
}

function drawName(
  ctx: CanvasRenderingContext2D,
  { color = 0, label }: ChartSeries,
  x: number,
  y: number,
  ratio: number
): void {
  const number = String(color + 1)
  ctx.textAlign = 'left'
  ctx.fillStyle = token('--text')
  ctx.font = `600 ${12 * ratio}px ${FONT_FAMILY}`
  ctx.fillText(number, x, y)
  const width = ctx.measureText(`${number} `).width
  ctx.fillStyle = token('--muted')
  ctx.font = `${12 * ratio}px ${FONT_FAMILY}`
  ctx.fillText(label, x + width, y)
}

function drawRun(
  chart: uPlot,
  { from, to, text, color, ghost }: LaneRun,
  barTop: number,
  ratio: number
): void {
  const { ctx, bbox } = chart
  const theme = themeNow()
  const edge = (at: number) =>
    Math.min(Math.max(chart.valToPos(at, 'x', true), bbox.left), bbox.left + bbox.width)
  const left = edge(from)
  const whole = edge(to) - left
  const width = Math.max(whole > SEAM_FROM * ratio ? whole - SEAM * ratio : whole, ratio)
  const top = ghost ? barTop + (BAR + 2) * ratio : barTop
  ctx.fillStyle = color === null ? token('--muted') : chartColor(color, theme)
  ctx.globalAlpha = (color === null ? REST_TINT : TINT)[theme] * (ghost ? 1.4 : 1)
  ctx.beginPath()
  ctx.roundRect(left, top, width, (ghost ? GHOST : BAR) * ratio, Math.min(RADIUS * ratio, width / 2))
  ctx.fill()
  ctx.globalAlpha = 1
  if (ghost) return
  // Words are whole or not there: the tooltip and the table have them all.
  ctx.font = `${12 * ratio}px ${FONT_FAMILY}`
  ctx.fillStyle = token('--text')
  if (ctx.measureText(text).width + 2 * TEXT_MARGIN * ratio <= width)
    ctx.fillText(text, left + TEXT_MARGIN * ratio, top + (BAR / 2) * ratio)
}
