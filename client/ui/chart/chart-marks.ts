// Marks in a chart: shaded time ranges with names above, and dashed limit lines.
import type uPlot from 'uplot'
import { FONT_FAMILY } from './chart-axes.ts'
import { token } from './chart-colors.ts'

export interface ChartMark {
  fromMs: number
  toMs: number
  /** Omitted if it does not fit. */
  text: string
  /** Highlighted because a link refers to it. */
  strong?: boolean
}

export interface ChartLimit {
  unit: string
  value: number
  text: string
}

const FONT_SIZE = 12
const HOUR_MS = 3_600_000
/** Outweighs all other samples together. */
const BEFORE_MARK_WEIGHT = 1e6
const SHADE = 0.14
const STRONG_SHADE = 0.22

export function shadeMarks(chart: uPlot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = chart
  ctx.save()
  clipTo(chart)
  ctx.fillStyle = token('--danger')
  for (const { fromMs, toMs, strong } of marks) {
    const [left, right] = edgesOf(chart, fromMs, toMs)
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

/** Draws names above the chart, the strong one first. */
export function nameMarks(chart: uPlot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  const taken: [number, number][] = []
  ctx.save()
  ctx.font = `${FONT_SIZE * ratio}px ${FONT_FAMILY}`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  for (const { fromMs, toMs, text } of [...marks].sort((a, b) => Number(b.strong) - Number(a.strong))) {
    const [left, right] = edgesOf(chart, fromMs, toMs)
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

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** Places each label where it hides the fewest samples, and none of the hour before a mark. */
export function drawLimits(
  chart: uPlot,
  limits: readonly ChartLimit[],
  marks: readonly ChartMark[] = []
): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  ctx.save()
  clipTo(chart)
  ctx.strokeStyle = token('--danger')
  ctx.lineWidth = ratio
  ctx.font = `${FONT_SIZE * ratio}px ${FONT_FAMILY}`
  ctx.textBaseline = 'bottom'
  ctx.textAlign = 'left'
  const named: Box[] = []
  for (const { unit, value, text } of limits) {
    const { min = null, max = null } = chart.scales[unit] ?? {}
    if (min === null || max === null || value < min || value > max) continue
    const y = Math.round(chart.valToPos(value, unit, true)) + 0.5
    ctx.setLineDash([4 * ratio, 4 * ratio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    const box = roomFor(chart, unit, y, ctx.measureText(text).width, marks, named)
    named.push(box)
    ctx.fillStyle = token('--danger')
    ctx.fillText(text, box.left, box.bottom)
  }
  ctx.restore()
}

function roomFor(
  chart: uPlot,
  unit: string,
  y: number,
  width: number,
  marks: readonly ChartMark[],
  named: readonly Box[]
): Box {
  const { bbox } = chart
  const ratio = devicePixelRatio
  const before = marks.map(({ fromMs }) => edgesOf(chart, fromMs - HOUR_MS, fromMs))
  const drawn = drawnBoxes(chart, unit).map((box) => ({
    ...box,
    weight: before.some(([left, right]) => box.right >= left && box.left <= right) ? BEFORE_MARK_WEIGHT : 1
  }))
  const taken = [...drawn, ...named.map((box) => ({ ...box, weight: BEFORE_MARK_WEIGHT }))]
  const [gap, height] = [2 * ratio, FONT_SIZE * ratio]
  const bottoms = [y - gap, y + gap + height].filter(
    (bottom) => bottom - height >= bbox.top && bottom <= bbox.top + bbox.height
  )
  const first = bbox.left + 8 * ratio
  let best: Box = { left: first, right: first + width, top: y - gap - height, bottom: y - gap }
  let least = Number.POSITIVE_INFINITY
  for (let left = first; left === first || left + width <= bbox.left + bbox.width; left += height) {
    for (const bottom of bottoms) {
      const box = { left, right: left + width, top: bottom - height, bottom }
      const hidden = taken.reduce((sum, one) => sum + (meet(box, one) ? one.weight : 0), 0)
      if (hidden < least) [best, least] = [box, hidden]
    }
  }
  return best
}

function meet(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom
}

/** The box around each piece of the lines of a unit, from one sample to the next. */
function drawnBoxes(chart: uPlot, unit: string): Box[] {
  const { min = null, max = null } = chart.scales.x ?? {}
  return chart.series.flatMap(({ scale }, index) => {
    if (index === 0 || scale !== unit) return []
    const points = Array.from(chart.data[0]).flatMap((time, at) => {
      const value = chart.data[index]?.[at]
      return value == null ? [] : [{ time, value }]
    })
    return points.flatMap(({ time, value }, at) => {
      const next = points[at + 1] ?? { time, value }
      if ((min !== null && next.time < min) || (max !== null && time > max)) return []
      const [left, right] = edgesOf(chart, time, next.time)
      const [a, b] = [chart.valToPos(value, unit, true), chart.valToPos(next.value, unit, true)]
      return [{ left, right, top: Math.min(a, b), bottom: Math.max(a, b) }]
    })
  })
}

function edgesOf(chart: uPlot, fromMs: number, toMs: number): [number, number] {
  return [chart.valToPos(fromMs, 'x', true), chart.valToPos(toMs, 'x', true)]
}

function clipTo({ ctx, bbox }: uPlot): void {
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
}
