// Reads the rows of a file that comes back from a spreadsheet.
import Papa from 'papaparse'
import { formatNumber } from '../../../../lib/format.ts'
import { BULK_EDIT_FILE_MAX_MB, BULK_EDIT_ROWS_MAX } from '../../../../lib/limits.ts'
import { BULK_EDIT } from '../../../../lib/messages.ts'
import { COLUMN_IDS, COLUMNS, type ColumnId } from './device-file.ts'
import { isWorkbook, textOf } from './file-text.ts'

export interface FileRow extends Record<ColumnId, string> {
  /** The row's number in the spreadsheet. */
  number: number
  /** Why the row cannot be read; null if it can. */
  problem: string | null
}

/** Spreadsheets separate cells by commas or semicolons, depending on their language, or by tabs. */
const DELIMITERS = [',', ';', '\t']

/** Throws a FileRefused if the file is too large to be read. */
export async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > BULK_EDIT_FILE_MAX_MB * 1_000_000)
    throw new FileRefused(BULK_EDIT.tooLarge(BULK_EDIT_FILE_MAX_MB))
  return new Uint8Array(await file.arrayBuffer())
}

export interface FileRows {
  rows: FileRow[]
  isEncodingGuessed: boolean
}

/** Throws a FileRefused with the reason if the file has no rows that can be compared. */
export function rowsOf(bytes: Uint8Array): FileRows {
  if (isWorkbook(bytes)) throw new FileRefused(BULK_EDIT.workbook)
  const content = textOf(bytes)
  if (content === null) throw new FileRefused(BULK_EDIT.unreadable)
  const { text, isGuess } = content
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: delimiterOf(text) })
  const headerIndex = data.findIndex((cells) => !isBlank(cells))
  const header = data[headerIndex]
  if (!header) throw new FileRefused(BULK_EDIT.empty)
  const places = placesOf(header)
  const rowsWithWrongQuotes = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => row))
  const rows = data.flatMap((cells, index) => {
    if (index <= headerIndex || isBlank(cells)) return []
    const problem = rowsWithWrongQuotes.has(index) ? BULK_EDIT.wrongQuotes : problemOf(cells, header.length)
    const texts = COLUMN_IDS.map((id) => [id, cells[places[id]]?.trim() ?? ''])
    return [{ ...(Object.fromEntries(texts) as Record<ColumnId, string>), number: index + 1, problem }]
  })
  if (rows.length === 0) throw new FileRefused(BULK_EDIT.noRows)
  if (rows.length > BULK_EDIT_ROWS_MAX)
    throw new FileRefused(BULK_EDIT.tooManyRows(formatNumber(rows.length), formatNumber(BULK_EDIT_ROWS_MAX)))
  return { rows, isEncodingGuessed: isGuess }
}

/** The reason is a sentence for the person. */
export class FileRefused extends Error {}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')
const headerForm = (text: string) => text.trim().toLowerCase()

/** The delimiter that finds most columns in the first row. Cells of other rows may contain any of them. */
function delimiterOf(text: string): string {
  const columnsFound = (delimiter: string) => {
    const [header = []] = Papa.parse<string[]>(text.trimStart(), { delimiter, preview: 1 }).data
    return COLUMN_IDS.filter((id) => header.some((cell) => headerForm(cell) === headerForm(COLUMNS[id])))
      .length
  }
  return DELIMITERS.toSorted((a, b) => columnsFound(b) - columnsFound(a))[0] ?? ','
}

/** The index of each column. Throws if a column is missing or occurs twice. */
function placesOf(header: readonly string[]): Record<ColumnId, number> {
  const names = header.map(headerForm)
  const missing = COLUMN_IDS.filter((id) => !names.includes(headerForm(COLUMNS[id])))
  if (missing.length > 0) throw new FileRefused(BULK_EDIT.missingColumns(missing.map((id) => COLUMNS[id])))
  const double = COLUMN_IDS.find((id) => names.filter((name) => name === headerForm(COLUMNS[id])).length > 1)
  if (double) throw new FileRefused(BULK_EDIT.doubleColumn(COLUMNS[double]))
  return Object.fromEntries(COLUMN_IDS.map((id) => [id, names.indexOf(headerForm(COLUMNS[id]))])) as Record<
    ColumnId,
    number
  >
}

/** Spreadsheets may leave out empty cells at the end of a row, or add some. */
function problemOf(cells: readonly string[], columnCount: number): string | null {
  if (!isBlank(cells.slice(columnCount))) return BULK_EDIT.tooManyCells(cells.length, columnCount)
  return null
}
