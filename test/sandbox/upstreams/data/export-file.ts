// The file of an export: a row per quarter of an hour and a column per point. A cell without a record is empty; booleans and
// enums keep their last value.
import type { ExportRecord } from '../../records/work.ts'
import { historyOf, SAMPLE_MS } from '../../simulation/histories.ts'
import { type Point, type PointValue, pointsOf } from '../../simulation/points.ts'
import { valueText } from '../../simulation/values.ts'
import type { State } from '../../state.ts'

interface Column {
  title: string
  cells: string[]
}

export function exportFile(state: State, record: ExportRecord): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: record.timeZone,
    dateStyle: 'short',
    timeStyle: 'medium'
  })
  const firstMs = Math.ceil(Date.parse(record.startTime) / SAMPLE_MS) * SAMPLE_MS
  const times = Array.from({ length: rowCount(record) }, (_, row) => format.format(firstMs + row * SAMPLE_MS))
  const columns = columnsOf(state, record, firstMs, times.length)
  if (record.format === 'JSON')
    return JSON.stringify(
      times.map((time, row) =>
        Object.fromEntries([
          ['time', time],
          ...columns.map(({ title, cells }) => [title, cells[row] || null])
        ])
      )
    )
  const lines = [
    [`Time (${record.timeZone})`, ...columns.map((column) => column.title)],
    ...times.map((time, row) => [time, ...columns.map((column) => column.cells[row] ?? '')])
  ]
  return lines.map((line) => `${line.map(quote).join(',')}\r\n`).join('')
}

export function rowCount(record: ExportRecord): number {
  const firstSample = Math.ceil(Date.parse(record.startTime) / SAMPLE_MS)
  return Math.max(0, Math.ceil(Date.parse(record.endTime) / SAMPLE_MS) - firstSample)
}

function columnsOf(state: State, record: ExportRecord, firstMs: number, rows: number): Column[] {
  const toMs = firstMs + rows * SAMPLE_MS
  return record.selectedPoints.flatMap(({ systemGuid, pointIds }) => {
    const device = state.devices.of(record.customerId).find((other) => other.systemGuid === systemGuid)
    const points = device ? pointsOf(device) : []
    return pointIds.map((pointId): Column => {
      const point = points.find((other) => other.telemetryId === pointId)
      if (!point) return { title: pointId, cells: [] }
      const units = point.template.kind === 'Numeric' ? point.template.units : ''
      const title = `${device?.deviceName} ${point.displayName}${units === '' ? '' : ` (${units})`}`
      return { title, cells: cellsOf(state, point, firstMs, toMs) }
    })
  })
}

function cellsOf(state: State, point: Point, firstMs: number, toMs: number): string[] {
  const { template } = point
  const cells: string[] = []
  for (const { timestamp, value } of historyOf(state.pointWrites, point, firstMs, toMs))
    cells[Math.ceil((Date.parse(timestamp) - firstMs) / SAMPLE_MS)] = valueText(template, value as PointValue)
  const rows = (toMs - firstMs) / SAMPLE_MS
  let lastCell = ''
  return Array.from({ length: rows }, (_, row) => {
    if (template.kind === 'Numeric') return cells[row] ?? ''
    lastCell = cells[row] ?? lastCell
    return lastCell
  })
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
