// CSV for spreadsheets: RFC 4180 with a byte order mark.
export interface CsvColumn<Row> {
  header: string
  value: (row: Row) => string | number | null | undefined
}

/**
 * Where a spreadsheet may begin a cell: at the start of the text and after each character at which it may split. Depending on
 * its language and settings, a spreadsheet splits at semicolons or tabs instead of commas, and then quotes do not protect a cell.
 * Matched as a group: to look behind would cost the square of a run of spaces.
 */
const CELL_START = String.raw`((?:^|[,;|\t\n\v\f\r\u0085\u2028\u2029]) *)`
/** What a spreadsheet reads as a formula: text that begins with `= + - @`, also full-width. */
const FORMULA = String.raw`"*[=+\-@＝＋－＠]`
const FORMULA_START = new RegExp(`${CELL_START}(?=${FORMULA})`, 'g')
const PROTECTED_FORMULA_START = new RegExp(`${CELL_START}'(?=${FORMULA})`, 'g')

/** The text with an apostrophe before each formula, with which a spreadsheet reads text. */
export function withoutFormulas(text: string): string {
  return text.replace(FORMULA_START, "$1'")
}

/** Reverses `withoutFormulas`. */
export function withFormulas(text: string): string {
  return text.replace(PROTECTED_FORMULA_START, '$1')
}

function cell(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value)
  if (!value) return ''
  const safeText = withoutFormulas(value)
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
}

const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`

/** The first line, with the byte order mark. */
export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return `\uFEFF${line(columns.map(({ header }) => cell(header)))}`
}

/** The lines of the rows, without the header. */
export function csvRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => line(columns.map(({ value }) => cell(value(row))))).join('')
}

export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return csvHeader(columns) + csvRows(columns, rows)
}

/** A file name that is valid on every system: "devices-northwind-2026-03-01.csv". */
export function fileName(parts: readonly string[], extension: string): string {
  const words = parts.map((part) =>
    part
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
  )
  return `${words.filter(Boolean).join('-') || 'export'}.${extension}`
}
