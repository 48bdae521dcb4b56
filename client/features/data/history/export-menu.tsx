import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { type CsvColumn, csvHeader, csvRows, fileName } from '#shared/csv.ts'
import { timeColumns, valueCell, valueHeader } from '#shared/history/csv-columns.ts'
import { isState } from '#shared/history/point-type.ts'
import { valueAt } from '#shared/history/samples.ts'
import { averageIn } from '#shared/history/statistics.ts'
import { edgesOf, type TimeRange } from '#shared/time/date-ranges.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { MenuButton } from '../../../ui/input/menu-button.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { type ChartLine, isGhost } from './chart/chart-lines.ts'
import type { Drawing } from './chart/drawing.ts'
import { tableValueAt } from './chart/history-samples.ts'
import type { History } from './use-history.ts'

interface ExportMenuProps {
  history: History
  title: string
}

type PictureCode = typeof import('./chart-picture.tsx')

const PICTURE_HEIGHT = 480
const HOUR_MS = 3_600_000

export function ExportMenu({ history, title }: ExportMenuProps) {
  const { chart, inView: view, zone } = history
  const lines = chart.lines.filter(({ key }) => !chart.hiddenKeys.includes(key))
  const { drawing } = chart
  const [pictureCode, setPictureCode] = useState<PictureCode | null>(null)
  const disabledReason = lines.length === 0 || !view || !drawing ? 'Nothing is drawn yet' : null
  const fileNameOf = (extension: string) => {
    const days = view ? [view.fromMs, view.toMs - 1].map((ms) => formatDay(ms, zone)) : []
    return fileName(['history', ...new Set(lines.map(({ device }) => device)), ...days], extension)
  }
  const reportFailure = () => {
    setPictureCode(null)
    toasts.failed('The file could not be created.')
  }
  const save = (make: (range: TimeRange, worker: Drawing) => Promise<Blob>) => () => {
    if (view && drawing) make(view, drawing).then((file) => saveFile(fileNameOf('csv'), file), reportFailure)
  }
  const averages = (hours: number) => save((range) => averagesCsv(lines, range, hours * HOUR_MS, zone))
  const records = save(async (range, worker) => recordsCsv(lines, await worker.times(lines, range), zone))
  const takePicture = () => void import('./chart-picture.tsx').then(setPictureCode, reportFailure)
  return (
    <>
      <MenuButton
        label="Export"
        className="button"
        items={[
          { label: 'CSV, every record', disabledReason, onSelect: records },
          { label: 'CSV, hourly averages', disabledReason, onSelect: averages(1) },
          { label: 'CSV, daily averages', disabledReason, onSelect: averages(24) },
          { label: 'Picture (PNG)', disabledReason, onSelect: takePicture },
          { label: 'Print', disabledReason, onSelect: () => window.print() }
        ]}
      >
        <Download />
        Export
      </MenuButton>
      {pictureCode && view && (
        <pictureCode.ChartPicture
          {...chart}
          title={title}
          view={view}
          lines={lines}
          hiddenKeys={[]}
          height={PICTURE_HEIGHT}
          onImage={(image) => {
            setPictureCode(null)
            saveFile(fileNameOf('png'), image)
          }}
          onFailure={reportFailure}
        />
      )}
    </>
  )
}

const ROWS_AT_ONCE = 2_000

/**
 * One row for each time at which any line has a record. A line whose values hold repeats its last value. Times of the
 * previous period are the ones at which it is drawn, as `times` are.
 */
export function recordsCsv(lines: readonly ChartLine[], times: Float64Array, zone: string): Promise<Blob> {
  return csv(lines, times, zone, ({ samples }, ms) => tableValueAt(samples, ms))
}

/** One row for each hour or day of the zone: averages of numbers, and states at the start of the period. */
export function averagesCsv(
  lines: readonly ChartLine[],
  { fromMs, toMs }: TimeRange,
  stepMs: number,
  zone: string
): Promise<Blob> {
  const edges = edgesOf({ fromMs, toMs }, stepMs, zone)
  const ends = new Map(edges.map((edge, at) => [edge, Math.min(edges[at + 1] ?? toMs, toMs)]))
  const times = Float64Array.from(edges.filter((edge) => edge < toMs))
  return csv(lines, times, zone, ({ samples, point }, edge) => {
    const begin = Math.max(edge, fromMs)
    if (isState(point)) return valueAt(samples, begin)
    return averageIn(samples, { fromMs: begin, toMs: ends.get(edge) ?? toMs })?.value ?? null
  })
}

async function csv(
  lines: readonly ChartLine[],
  times: Float64Array,
  zone: string,
  read: (line: ChartLine, ms: number) => number | null
): Promise<Blob> {
  const valueColumn = (line: ChartLine) => ({
    header: headerOf(line),
    value: (ms: number) => valueCell(line.point, read(line, ms))
  })
  const previousLines = lines.filter(isGhost)
  // The lines of the previous period are all drawn later by the same time.
  const shiftMs = previousLines[0]?.shiftMs ?? 0
  const columns: CsvColumn<number>[] = [
    ...timeColumns('Time', zone, (ms: number) => ms),
    ...lines.filter((line) => !isGhost(line)).map(valueColumn),
    ...(previousLines.length > 0 ? timeColumns('Previous time', zone, (ms: number) => ms - shiftMs) : []),
    ...previousLines.map(valueColumn)
  ]
  const parts = [csvHeader(columns)]
  for (let at = 0; at < times.length; at += ROWS_AT_ONCE) {
    await new Promise((resolve) => setTimeout(resolve))
    parts.push(csvRows(columns, [...times.subarray(at, at + ROWS_AT_ONCE)]))
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

function headerOf(line: ChartLine): string {
  return `${isGhost(line) ? 'Previous period: ' : ''}${valueHeader(line)}`
}
