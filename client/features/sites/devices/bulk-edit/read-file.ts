// Reads the rows of a file that comes back from a spreadsheet.
import Papa from 'papaparse'
import { formatNumber } from '../../../../lib/format.ts'
import { BULK_EDIT_FILE_MAX_MB, BULK_EDIT_ROWS_MAX } from '../../../../lib/limits.ts'
import { COLUMN_IDS, COLUMNS, type ColumnId } from './device-file.ts'
import { isWorkbook, textOf } from './file-text.ts'
import { BULK_EDIT } from './messages.ts'
import { pause } from './pause.ts'

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

/** Characters that are parsed at once, which takes a few milliseconds. */
const PIECE_CHARACTERS = 200_000
/** A row that fills more pieces has a quotation mark that is not closed. */
const PIECES_OF_A_ROW_MAX = 4

/** Reads the file in pieces, between which the page can react. Throws a FileRefused with the reason if it has no rows that can be compared. */
export async function rowsOf(bytes: Uint8Array): Promise<FileRows> {
  if (isWorkbook(bytes)) throw new FileRefused(BULK_EDIT.workbook)
  const content = textOf(bytes)
  if (content === null) throw new FileRefused(BULK_EDIT.unreadable)
  const { text, isGuess } = content
  const reader = createRowReader()
  await parseInPieces(text, reader.add)
  return { rows: reader.end(), isEncodingGuessed: isGuess }
}

/** Calls `onRows` with the rows of each piece. Rejects with what it throws. */
function parseInPieces(text: string, onRows: (piece: Papa.ParseResult<string[]>) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      delimiter: delimiterOf(text),
      chunkSize: PIECE_CHARACTERS,
      chunk(piece: Papa.ParseResult<string[]>, parser: Papa.Parser) {
        try {
          onRows(piece)
        } catch (error) {
          // Aborting completes the promise otherwise.
          reject(error)
          return parser.abort()
        }
        parser.pause()
        void pause().then(() => parser.resume())
      },
      complete: () => resolve()
    })
  })
}

/** Collects the rows of a file, after its header. */
function createRowReader() {
  let header: readonly string[] | null = null
  let places: Record<ColumnId, number> | null = null
  let lineCount = 0
  let emptyPieces = 0
  const rows: FileRow[] = []

  function addRow(cells: readonly string[], hasWrongQuotes: boolean): void {
    lineCount += 1
    if (isBlank(cells)) return
    if (header === null || places === null) {
      header = cells
      places = placesOf(cells)
      return
    }
    const columns = places
    const problem = hasWrongQuotes ? BULK_EDIT.wrongQuotes : problemOf(cells, header.length)
    const texts = COLUMN_IDS.map((id) => [id, cells[columns[id]]?.trim() ?? ''])
    rows.push({ ...(Object.fromEntries(texts) as Record<ColumnId, string>), number: lineCount, problem })
    if (rows.length > BULK_EDIT_ROWS_MAX)
      throw new FileRefused(BULK_EDIT.tooManyRows(formatNumber(BULK_EDIT_ROWS_MAX)))
  }

  return {
    add({ data, errors }: Papa.ParseResult<string[]>): void {
      emptyPieces = data.length === 0 ? emptyPieces + 1 : 0
      if (emptyPieces > PIECES_OF_A_ROW_MAX) throw new FileRefused(BULK_EDIT.endlessRow(lineCount + 1))
      const wrongRows = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => row))
      for (const [index, cells] of data.entries()) addRow(cells, wrongRows.has(index))
    },
    end(): FileRow[] {
      if (header === null) throw new FileRefused(BULK_EDIT.empty)
      if (rows.length === 0) throw new FileRefused(BULK_EDIT.noRows)
      return rows
    }
  }
}

/** The reason is a sentence for the person. */
export class FileRefused extends Error {}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')
const headerForm = (text: string) => text.trim().toLowerCase()

/** The delimiter that finds most columns in the first row. Cells of other rows may contain any of them. */
function delimiterOf(text: string): string {
  const start = text.slice(0, PIECE_CHARACTERS).trimStart()
  const columnsFound = (delimiter: string) => {
    const [header = []] = Papa.parse<string[]>(start, { delimiter, preview: 1 }).data
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
