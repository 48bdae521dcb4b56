// Writes rows of a list as lines of CSV or NDJSON.
import { type CsvColumn, csvRows } from '#shared/csv.ts'

export type RowFormat = 'text/csv' | 'application/x-ndjson'

export function rowText<Row>(
  rows: readonly Row[],
  format: RowFormat,
  columns: readonly CsvColumn<Row>[]
): string {
  if (format === 'text/csv') return csvRows(columns, rows)
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}
