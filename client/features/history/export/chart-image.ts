// The charts of a page as one picture, with what they are about written above and below.
import { FONT_FAMILY } from '../../../ui/chart/chart-axes.ts'

export interface ImageText {
  title: string
  /** Smaller, below the title. */
  lines: readonly string[]
  /** One a line, below the charts. */
  legend: readonly { text: string; color: string; dash: readonly number[]; square: boolean }[]
  background: string
  color: string
}

const MARGIN = 24
const LINE = 20

export function chartImage(
  place: HTMLElement,
  { title, lines, legend, background, color }: ImageText
): Promise<Blob> {
  const charts = [...place.querySelectorAll('canvas')]
  const ratio = devicePixelRatio
  const width = Math.max(0, ...charts.map((chart) => chart.width)) + 2 * MARGIN * ratio
  const head = (MARGIN + LINE * (1 + lines.length) + 12) * ratio
  const foot = (legend.length * LINE + MARGIN + 8) * ratio
  const height = head + charts.reduce((sum, chart) => sum + chart.height, 0) + foot
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  if (!context) return Promise.reject(new Error('no picture can be drawn'))
  context.fillStyle = background
  context.fillRect(0, 0, width, height)
  let top = head
  for (const chart of charts) {
    context.drawImage(chart, MARGIN * ratio, top)
    top += chart.height
  }
  context.scale(ratio, ratio)
  const write = (text: string, x: number, y: number, font: string) => {
    context.fillStyle = color
    context.font = `${font} ${FONT_FAMILY}`
    context.fillText(text, x, y)
  }
  write(title, MARGIN, MARGIN + 14, '600 18px')
  lines.forEach((text, index) => {
    write(text, MARGIN, MARGIN + 14 + LINE * (index + 1), '13px')
  })
  legend.forEach(({ text, color: line, dash, square }, index) => {
    const y = top / ratio + 8 + LINE * (index + 0.5)
    context.strokeStyle = line
    context.fillStyle = line
    context.lineWidth = 2.5
    context.setLineDash([...dash])
    context.beginPath()
    if (square) context.fillRect(MARGIN + 6, y - 6, 12, 12)
    else {
      context.moveTo(MARGIN, y)
      context.lineTo(MARGIN + 24, y)
      context.stroke()
    }
    write(text, MARGIN + 32, y + 4, '13px')
  })
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture came of it'))), 'image/png')
  )
}
