// Writes the records of a report as CSV, as one JSON text, or as lines (NDJSON).
import type { ReportData } from '#shared/answers/report-data.ts'
import { type CsvColumn, csvHeader, csvRows } from '#shared/csv.ts'
import { timeColumns, valueCell, valueHeader } from '#shared/history/csv-columns.ts'
import { chartValue, isValidStatus } from '#shared/history/point-type.ts'
import { describedPoint, type FoundPoint } from './points.ts'
import type { PointRecord } from './records.ts'

export interface Report extends Omit<ReportData, 'points' | 'partial' | 'records'> {
  points: readonly FoundPoint[]
}

type Batches = AsyncIterable<PointRecord[]>
type Texts = AsyncGenerator<string, void, void>

export const FORMATS = {
  'text/csv': asCsv,
  'application/json': asJson,
  'application/x-ndjson': asLines
} as const satisfies Record<string, (report: Report, batches: Batches) => Texts>

export type Format = keyof typeof FORMATS

interface Row {
  ms: number
  /** By the index of the point. Of records with the same time, the last one counts. */
  records: Map<number, PointRecord>
}

/** A row for each time, and a column for each point, as in the export of a chart. */
async function* asCsv({ points, timeZone }: Report, batches: Batches): Texts {
  const columns: CsvColumn<Row>[] = [
    ...timeColumns('Time', timeZone, ({ ms }: Row) => ms),
    ...points.map((point, index) => ({
      header: headerOf(point),
      value: ({ records }: Row) => cellOf(point, records.get(index))
    }))
  ]
  yield csvHeader(columns)
  // The next batch may have further records of the last time.
  let lastRow: Row | undefined
  for await (const batch of batches) {
    const rows: Row[] = []
    for (const record of batch) {
      if (lastRow?.ms !== record.ms) {
        if (lastRow) rows.push(lastRow)
        lastRow = { ms: record.ms, records: new Map() }
      }
      lastRow.records.set(record.index, record)
    }
    yield csvRows(columns, rows)
  }
  yield csvRows(columns, lastRow ? [lastRow] : [])
}

const MISSING = { device: ' (no such device)', point: ' (no such point)', history: ' (no history)' }

function headerOf({ pointName, deviceName, type, missing }: FoundPoint): string {
  const header = valueHeader({ name: pointName, device: deviceName, point: type })
  return header + (missing === null ? '' : MISSING[missing])
}

function cellOf({ type }: FoundPoint, record: PointRecord | undefined): string | number | null {
  if (record === undefined) return null
  if (!isValidStatus(record.status)) return valueCell(type, Number.NaN)
  if (type.kind === 'String') return String(record.value ?? '')
  return valueCell(type, chartValue(type, record.value))
}

async function* asJson({ points, ...report }: Report, batches: Batches): Texts {
  const described = points.map(describedPoint)
  const partial = [...new Set(described.flatMap((point) => point.partial))]
  const head = JSON.stringify({ ...report, points: described, partial })
  yield `${head.slice(0, -1)},"records":[`
  let separator = ''
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield separator + batch.map((record) => recordText(points, record)).join(',')
    separator = ','
  }
  yield ']}'
}

/** A line for each point, then a line for each record. */
async function* asLines({ points }: Report, batches: Batches): Texts {
  yield points.map((point) => `${JSON.stringify(describedPoint(point))}\n`).join('')
  for await (const batch of batches) yield batch.map((record) => `${recordText(points, record)}\n`).join('')
}

function recordText(points: readonly FoundPoint[], { index, ms, value, status }: PointRecord): string {
  const { deviceUuid, cloudId } = points[index] as FoundPoint
  const time = new Date(ms).toISOString()
  return JSON.stringify({ deviceUuid, cloudId, time, value, ...(status === '' ? {} : { status }) })
}
