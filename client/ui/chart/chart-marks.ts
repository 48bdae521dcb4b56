// What is marked in a chart: times as shaded strips with their names above, and limits as dashed lines.
import type uPlot from 'uplot'
import { FONT_FAMILY } from './chart-axes.ts'
import { token } from './chart-colors.ts'

export interface ChartMark {
  /** Unix seconds. */
  from: number
  to: number
  /** Whole where there is room for it, else left out. */
  text: string
  /** The one that somebody came for. */
  strong?: boolean
}

export interface ChartLimit {
  /** Of which axis. */
  unit: string
  value: number
  text: string
}

const FONT_SIZE = 12
const SHADE = 0.14
const STRONG_SHADE = 0.22

/** Behind the lines. */
export function shadeMarks(chart: uPlot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = chart
  ctx.save()
  clipTo(chart)
  ctx.fillStyle = token('--danger')
  for (const { from, to, strong } of marks) {
    const [left, right] = edgesOf(chart, from, to)
    const width = Math.max(right - left, devicePixelRatio)
    ctx.globalAlpha = strong ? STRONG_SHADE : SHADE
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = strong ? 1 : 0.6
    const edge = (strong ? 2 : 1) * devicePixelRatio
    ctx.fillRect(left, bbox.top, edge, bbox.height)
    if (width > 2 * edge) ctx.fillRect(left + width - edge, bbox.top, edge, bbox.height)
  }
  ctx.restore()
}

/** Above the chart; the one that somebody came for goes first. */
export function nameMarks(chart: uPlot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  const taken: [number, number][] = []
  ctx.save()
  ctx.font = `${FONT_SIZE * ratio}px ${FONT_FAMILY}`
  ctx.textBaseline = 'middle'
  for (const { from, to, text } of [...marks].sort((a, b) => Number(b.strong) - Number(a.strong))) {
    const [left, right] = edgesOf(chart, from, to)
    if (right < bbox.left || left > bbox.left + bbox.width) continue
    const width = ctx.measureText(text).width + 12 * ratio
    const most = bbox.left + bbox.width - width
    const x = Math.min(Math.max((left + right - width) / 2, bbox.left), most)
    const free = taken.every(([start, end]) => x + width + 4 * ratio < start || x > end + 4 * ratio)
    if (!free || most < bbox.left) continue
    taken.push([x, x + width])
    ctx.fillStyle = token('--danger-back')
    ctx.beginPath()
    ctx.roundRect(x, bbox.top - 24 * ratio, width, 20 * ratio, 4 * ratio)
    ctx.fill()
    ctx.fillStyle = token('--danger')
    ctx.fillText(text, x + 6 * ratio, bbox.top - 13.5 * ratio)
  }
  ctx.restore()
}

/** Only those that the axis reaches. */
export function drawLimits(chart: uPlot, limits: readonly ChartLimit[]): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  ctx.save()
  clipTo(chart)
  ctx.strokeStyle = token('--danger')
  ctx.lineWidth = ratio
  ctx.font = `${FONT_SIZE * ratio}px ${FONT_FAMILY}`
  ctx.textBaseline = 'bottom'
  for (const { unit, value, text } of limits) {
    const { min = null, max = null } = chart.scales[unit] ?? {}
    if (min === null || max === null || value < min || value > max) continue
    const y = Math.round(chart.valToPos(value, unit, true)) + 0.5
    ctx.setLineDash([4 * ratio, 4 * ratio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    const [x, height] = [bbox.left + 8 * ratio, (FONT_SIZE + 4) * ratio]
    ctx.fillStyle = token('--surface')
    ctx.fillRect(x - 2 * ratio, y - height, ctx.measureText(text).width + 4 * ratio, height - ratio)
    ctx.fillStyle = token('--danger')
    ctx.fillText(text, x, y - 2 * ratio)
  }
  ctx.restore()
}

function edgesOf(chart: uPlot, from: number, to: number): [number, number] {
  return [chart.valToPos(from, 'x', true), chart.valToPos(to, 'x', true)]
}

function clipTo({ ctx, bbox }: uPlot): void {
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
}
