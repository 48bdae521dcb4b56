// Marks in a chart: shaded time ranges with names above, and dashed limit lines.
import type uPlot from 'uplot'
import { FONT_FAMILY, spread } from './chart-axes.ts'
import { token } from './chart-colors.ts'

export interface ChartMark {
  fromMs: number
  toMs: number
  /** The name above the range. Omitted if the name does not fit. */
  text: string
  /** Whether the mark is highlighted, because a link refers to it. */
  strong?: boolean
}

export interface ChartLimit {
  unit: string
  value: number
  text: string
}

const FONT_SIZE = 12
const SHADE = 0.14
const STRONG_SHADE = 0.22

/** Shades the ranges. Call before drawing the samples, so that the shade doesn't change their colours. */
export function shadeMarks(chart: uPlot, ratio: number, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = chart
  ctx.save()
  clipTo(chart)
  ctx.fillStyle = token('--danger')
  for (const { fromMs, toMs, strong } of marks) {
    const [left, right] = edgesOf(chart, fromMs, toMs)
    ctx.globalAlpha = strong ? STRONG_SHADE : SHADE
    ctx.fillRect(left, bbox.top, Math.max(right - left, ratio), bbox.height)
  }
  ctx.restore()
}

/** Draws lines at both ends of the ranges, and nothing between them. */
export function drawMarkEdges(chart: uPlot, ratio: number, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = chart
  ctx.save()
  clipTo(chart)
  ctx.fillStyle = token('--danger')
  for (const { fromMs, toMs, strong } of marks) {
    const [left, right] = edgesOf(chart, fromMs, toMs)
    ctx.globalAlpha = strong ? 1 : 0.6
    const edge = (strong ? 2 : 1) * ratio
    ctx.fillRect(left, bbox.top, edge, bbox.height)
    if (right - left > 2 * edge) ctx.fillRect(right - edge, bbox.top, edge, bbox.height)
  }
  ctx.restore()
}

/** Draws names above the chart, highlighted marks first. Omits names that would overlap others. */
export function nameMarks(chart: uPlot, ratio: number, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = chart
  const takenRanges: [number, number][] = []
  ctx.save()
  ctx.font = `${FONT_SIZE * ratio}px ${FONT_FAMILY}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  for (const { fromMs, toMs, text } of [...marks].sort((a, b) => Number(b.strong) - Number(a.strong))) {
    const [left, right] = edgesOf(chart, fromMs, toMs)
    if (right < bbox.left || left > bbox.left + bbox.width) continue
    const width = ctx.measureText(text).width + 12 * ratio
    const maxX = bbox.left + bbox.width - width
    const x = Math.min(Math.max((left + right - width) / 2, bbox.left), maxX)
    const isFree = takenRanges.every(([start, end]) => x + width + 4 * ratio < start || x > end + 4 * ratio)
    if (!isFree || maxX < bbox.left) continue
    takenRanges.push([x, x + width])
    ctx.fillStyle = token('--danger-back')
    ctx.beginPath()
    ctx.roundRect(x, bbox.top - 24 * ratio, width, 20 * ratio, 4 * ratio)
    ctx.fill()
    ctx.fillStyle = token('--danger')
    ctx.fillText(text, x + 6 * ratio, bbox.top - 13.5 * ratio)
  }
  ctx.restore()
}

/** Draws dashed lines with names that do not overlap. Call before drawing the samples, so that the names don't hide them. */
export function drawLimits(chart: uPlot, ratio: number, limits: readonly ChartLimit[]): void {
  const { ctx, bbox } = chart
  const visibleLimits = limits.flatMap(({ unit, value, text }) => {
    const { min = null, max = null } = chart.scales[unit] ?? {}
    if (min === null || max === null || value < min || value > max) return []
    return [{ text, y: Math.round(chart.valToPos(value, unit, true)) + 0.5 }]
  })
  const height = FONT_SIZE * ratio
  const bottoms = spread(
    visibleLimits.map(({ y }) => y - 2 * ratio),
    height,
    bbox.top + height,
    bbox.top + bbox.height
  )
  ctx.save()
  clipTo(chart)
  ctx.strokeStyle = token('--danger')
  ctx.fillStyle = token('--danger')
  ctx.lineWidth = ratio
  ctx.setLineDash([4 * ratio, 4 * ratio])
  ctx.font = `${height}px ${FONT_FAMILY}`
  ctx.textBaseline = 'bottom'
  ctx.textAlign = 'left'
  visibleLimits.forEach(({ text, y }, index) => {
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.fillText(text, bbox.left + 8 * ratio, bottoms[index] ?? y)
  })
  ctx.restore()
}

function edgesOf(chart: uPlot, fromMs: number, toMs: number): [number, number] {
  return [chart.valToPos(fromMs, 'x', true), chart.valToPos(toMs, 'x', true)]
}

function clipTo({ ctx, bbox }: uPlot): void {
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
}
