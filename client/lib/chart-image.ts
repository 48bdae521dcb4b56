// The charts of a page as one picture, with what they are about written above and below.

interface ImageText {
  title: string
  subtitle: string
  /** One a line. */
  legend: readonly { text: string; color: string; dash: readonly number[] }[]
  background: string
  color: string
}

const MARGIN = 16
const LINE = 20

export function chartImage(
  place: HTMLElement,
  { title, subtitle, legend, background, color }: ImageText
): Promise<Blob> {
  const charts = [...place.querySelectorAll('canvas')]
  const ratio = devicePixelRatio
  const width = Math.max(...charts.map((chart) => chart.width), 320 * ratio) + 2 * MARGIN * ratio
  const head = (MARGIN + 2 * LINE + 8) * ratio
  const foot = (legend.length * LINE + MARGIN) * ratio
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
    context.font = `${font} system-ui, sans-serif`
    context.fillText(text, x, y)
  }
  write(title, MARGIN, MARGIN + 14, '600 16px')
  write(subtitle, MARGIN, MARGIN + 14 + LINE, '13px')
  legend.forEach(({ text, color: line, dash }, index) => {
    const y = top / ratio + LINE * (index + 0.5)
    context.strokeStyle = line
    context.lineWidth = 2.5
    context.setLineDash([...dash])
    context.beginPath()
    context.moveTo(MARGIN, y)
    context.lineTo(MARGIN + 24, y)
    context.stroke()
    write(text, MARGIN + 32, y + 4, '13px')
  })
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture came of it'))), 'image/png')
  )
}
