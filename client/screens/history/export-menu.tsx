import Download from 'lucide-react/icons/download'
import type { RefObject } from 'react'
import { MenuButton } from '../../components/menu-button.tsx'
import { CHART_COLORS, chartColor } from '../../lib/chart-colors.ts'
import { chartImage } from '../../lib/chart-image.ts'
import type { ChartLine } from '../../lib/chart-lines.ts'
import { fileName, saveFile } from '../../lib/csv.ts'
import { rangeText, type TimeRange } from '../../lib/date-range.ts'
import type { Drawing } from '../../lib/drawing.ts'
import { historyCsv } from '../../lib/history-csv.ts'
import { formatDay } from '../../lib/time.ts'
import { toasts } from '../../lib/toasts.ts'

interface ExportMenuProps {
  /** Those of the range, without a previous period. */
  lines: readonly ChartLine[]
  drawing: Drawing | null
  view: TimeRange | null
  zone: string
  place: RefObject<HTMLElement | null>
}

/** What is drawn, to take away: as numbers, as a picture, on paper. */
export function ExportMenu({ lines, drawing, view, zone, place }: ExportMenuProps) {
  const nothing = lines.length === 0 || !view ? 'Nothing is drawn yet' : null
  const named = (extension: string) => {
    const days = view
      ? [view.fromMs, view.toMs - 1].map((ms) => formatDay(new Date(ms).toISOString(), zone))
      : []
    return fileName(['history', ...new Set(lines.map(({ device }) => device)), ...days], extension)
  }

  async function csv() {
    if (!view || !drawing) return
    const times = await drawing.times(
      lines.map(({ id }) => id),
      view
    )
    saveFile(named('csv'), await historyCsv(lines, times, zone))
  }

  async function png() {
    if (!view || !place.current) return
    const theme = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
    const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
    const image = await chartImage(place.current, {
      title: 'History',
      subtitle: `${rangeText(view, zone)}, ${zone}`,
      legend: lines.map(({ color, name, device, point }) => ({
        text: `${color + 1}  ${name}${point.units ? `, ${point.units}` : ''}  ${device}`,
        color: chartColor(color, theme),
        dash: CHART_COLORS[color % CHART_COLORS.length]?.dash ?? []
      })),
      background: token('--surface'),
      color: token('--text')
    })
    saveFile(named('png'), image)
  }

  const failed = () => toasts.failed('The file could not be made.')
  return (
    <MenuButton
      label="Export"
      className="button"
      items={[
        { label: 'CSV of what is drawn', disabledReason: nothing, onSelect: () => void csv().catch(failed) },
        { label: 'Picture (PNG)', disabledReason: nothing, onSelect: () => void png().catch(failed) },
        { label: 'Print', disabledReason: nothing, onSelect: () => window.print() }
      ]}
    >
      <Download />
      Export
    </MenuButton>
  )
}
