import { useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { rangeText } from '../../../lib/time/date-range.ts'
import { zoneText } from '../../../lib/time/offset.ts'
import { CHART_COLORS, chartColor, themeNow, token } from '../../../ui/chart/chart-colors.ts'
import { isGhost, isState } from '../drawing/chart-lines.ts'
import type { HistoryChartProps } from '../drawing/history-chart.tsx'
import { LazyHistoryChart } from '../drawing/lazy-history-chart.tsx'
import { chartImage, type ImageText } from './chart-image.ts'

/** Pixels: wide enough for paper, whatever the screen. */
const WIDTH = 1_600

interface ChartPictureProps extends HistoryChartProps {
  title: string
  onImage: (image: Blob) => void
  onFailure: (error: unknown) => void
}

/** Draws the charts once more, out of sight and wide, and makes a picture of them. */
export default function ChartPicture({ title, onImage, onFailure, ...chart }: ChartPictureProps) {
  const place = useRef<HTMLDivElement>(null)
  const take = useEffectEvent(async (note: string | null) => {
    await painted()
    if (!place.current) return
    await chartImage(place.current, textOf(title, chart, note)).then(onImage, onFailure)
  })
  return createPortal(
    <div ref={place} className="picture-place" style={{ width: WIDTH }} aria-hidden="true" inert>
      <LazyHistoryChart {...chart} onDrawn={(note) => void take(note)} />
    </div>,
    document.body
  )
}

/** Once the charts, whose code may still be on its way, have drawn what they were given. */
async function painted(): Promise<void> {
  for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
}

function textOf(title: string, { lines, view, zone }: HistoryChartProps, note: string | null): ImageText {
  const own = lines.filter((line) => !isGhost(line))
  const devices = [...new Set(own.map(({ device }) => device))].filter(Boolean)
  return {
    title: [title, ...devices].join(' · '),
    lines: [
      `${rangeText(view, zone)}, ${zone}, ${zoneText(view.toMs, zone)}`,
      ...(note ? [note] : []),
      ...(lines.length > own.length ? ['Dashed and paler: the previous period.'] : [])
    ],
    legend: own.map(({ color, name, device, point }) => ({
      text: [`${color + 1}  ${name}`, point.units, devices.length > 1 ? device : '']
        .filter(Boolean)
        .join(', '),
      color: chartColor(color, themeNow()),
      dash: CHART_COLORS[color % CHART_COLORS.length]?.dash ?? [],
      square: isState(point)
    })),
    background: token('--surface'),
    color: token('--text')
  }
}
