// Writes the file of a list. Loaded with the first export.
import { csvOf, fileName } from '#shared/csv.ts'
import { saveFile } from '../../lib/save-file.ts'
import { csvColumns, type ListColumn } from './columns/column.ts'

export function saveRows<Row>(
  name: string,
  format: 'csv' | 'json',
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[]
): void {
  const file = fileName([name, new Date().toISOString().slice(0, 10)], format)
  if (format === 'csv') saveFile(file, csvOf(csvColumns(columns), rows))
  else saveFile(file, JSON.stringify(rows, null, 2), 'application/json')
}
