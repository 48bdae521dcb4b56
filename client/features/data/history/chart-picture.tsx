import { useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { isState } from '#shared/history/point-type.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { rangeText } from '../../../lib/time/date-range.ts'
import { zoneText } from '../../../lib/time/offset.ts'
import { FONT_FAMILY } from '../../../ui/chart/chart-axes.ts'
import { CHART_COLORS, chartColor, stateColor, themeNow, token } from '../../../ui/chart/chart-colors.ts'
import { type ChartLine, isGhost } from './chart/chart-lines.ts'
import type { HistoryChartProps } from './chart/history-chart.tsx'
import { LazyHistoryChart } from './chart/point-chart.tsx'
import { shareText, statesIn } from './chart/states.ts'

/** The width of the picture in pixels: wide enough for paper, whatever the screen. */
const WIDTH = 1_600

interface ChartPictureProps extends HistoryChartProps {
  title: string
  onImage: (image: Blob) => void
  onFailure: () => void
}

/** Draws the charts a second time, wide and off screen, and makes a picture of them. */
export function ChartPicture({ title, onImage, onFailure, ...chart }: ChartPictureProps) {
  const container = useRef<HTMLDivElement>(null)
  const takePicture = useEffectEvent(async (note: string | null) => {
    await waitForPaint()
    if (container.current) await imageOf(container.current, title, chart, note).then(onImage, onFailure)
  })
  return createPortal(
    <div ref={container} className="picture-place" style={{ width: WIDTH }} aria-hidden="true" inert>
      <LazyHistoryChart {...chart} onDrawn={(note) => void takePicture(note)} onFailure={onFailure} />
    </div>,
    document.body
  )
}

async function waitForPaint(): Promise<void> {
  for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
}

const MARGIN = 24
const LINE_PX = 20

/** Makes an image of the charts' canvases below each other, with the title above and the legend below. */
function imageOf(
  container: HTMLElement,
  title: string,
  chart: HistoryChartProps,
  note: string | null
): Promise<Blob> {
  const { lines, view, zone } = chart
  const currentLines = lines.filter((line) => !isGhost(line))
  const heading = [title, ...new Set(currentLines.map(({ device }) => device))].filter(Boolean).join(' · ')
  const facts = [
    [rangeText(view, zone), ...new Set([zone, zoneText(view.toMs, zone)])].join(', '),
    ...(note ? [note] : []),
    ...(lines.length > currentLines.length ? ['Dashed and paler lines: the previous period.'] : [])
  ]
  const charts = [...container.querySelectorAll('canvas')]
  const ratio = devicePixelRatio
  const headHeight = (MARGIN + LINE_PX * (1 + facts.length) + 12) * ratio
  const footHeight = (currentLines.length * LINE_PX + MARGIN + 8) * ratio
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(0, ...charts.map(({ width }) => width)) + 2 * MARGIN * ratio
  canvas.height = headHeight + charts.reduce((sum, { height }) => sum + height, 0) + footHeight
  const context = canvas.getContext('2d')
  if (!context) return Promise.reject(new Error('the browser has no 2D canvas'))
  context.fillStyle = token('--surface')
  context.fillRect(0, 0, canvas.width, canvas.height)
  let top = headHeight
  for (const chartCanvas of charts) {
    context.drawImage(chartCanvas, MARGIN * ratio, top)
    top += chartCanvas.height
  }
  context.scale(ratio, ratio)
  const write = (text: string, x: number, y: number, font = '13px') => {
    context.fillStyle = token('--text')
    context.font = `${font} ${FONT_FAMILY}`
    context.fillText(text, x, y)
    return x + context.measureText(text).width
  }
  write(heading, MARGIN, MARGIN + 14, '600 18px')
  facts.forEach((text, index) => {
    write(text, MARGIN, MARGIN + 14 + LINE_PX * (index + 1))
  })
  const isOneDevice = new Set(currentLines.map(({ device }) => device)).size === 1
  currentLines.forEach((line, index) => {
    drawLegendLine(context, line, { y: top / ratio + 8 + LINE_PX * (index + 0.5), view, isOneDevice, write })
  })
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('cannot encode the PNG'))), 'image/png')
  )
}

interface LegendPlace {
  y: number
  view: TimeRange
  isOneDevice: boolean
  /** Returns the x at which the text ends. */
  write: (text: string, x: number, y: number) => number
}

/** Draws a line's entry in the legend: its stroke and name; for a state point its name, states and their shares. */
function drawLegendLine(
  context: CanvasRenderingContext2D,
  line: ChartLine,
  { y, view, isOneDevice, write }: LegendPlace
): void {
  const { color, name, device, point } = line
  if (!isState(point)) {
    context.strokeStyle = chartColor(color, themeNow())
    context.lineWidth = 2.5
    context.setLineDash([...(CHART_COLORS[color % CHART_COLORS.length]?.dash ?? [])])
    context.beginPath()
    context.moveTo(MARGIN, y)
    context.lineTo(MARGIN + 24, y)
    context.stroke()
  }
  const texts = [`${color + 1}  ${name}`, point.units, isOneDevice ? '' : device]
  let x = write(texts.filter(Boolean).join(', '), MARGIN + 32, y + 4)
  for (const state of isState(point) ? statesIn(line, view).times : []) {
    context.fillStyle = stateColor(state.color, themeNow())
    context.fillRect(x + 16, y - 6, 12, 12)
    x = write(`${state.text} ${shareText(state.share)}`, x + 34, y + 4)
  }
}
