// A column of a list, for the list's table, cards (on a small screen) and exported file.
import type { ReactNode } from 'react'
import type { CsvColumn } from '#shared/csv.ts'
import { capitalized } from '../../../lib/format.ts'

type CardPlace = 'heading' | 'aside' | 'fact' | 'more'

export interface CardFact {
  name: string
  value: ReactNode
}

export interface ListColumn<Row> {
  /** The column's id, also the value of `sort` in the address. */
  id: string
  header: string
  /** The plain value, for the file and, without `cell`, for the table. */
  value?: (row: Row) => string | number | null | undefined
  cell?: (row: Row) => ReactNode
  /** The name of the sort order. A column without this name is not sortable. */
  sort?: string
  /** A column, hidden by default, whose facts this column shows too. While it is hidden, this column's head sorts by it. */
  alsoSorts?: { id: string; header: string }
  /** Whether there is only one order, as "worst first". */
  oneWay?: true
  /** The direction of the first sort by this column, if it differs from the list's default. */
  first?: 'asc' | 'desc'
  align?: 'end'
  /** The narrowest screen whose table shows the column. */
  from?: 'laptop' | 'desktop'
  /**
   * The width of the column in a list's table, in rem. Columns share the rest of the space in proportion to it; those
   * that stay `whole` do not. No content changes it, so that columns keep their places from page to page.
   */
  width?: number
  /** Whether the content stays on one line, as a time or a state. Without a width, it is as wide as its content. */
  whole?: true
  /** Whether the column names the row; if no column does, the first one names it. */
  namesRow?: true
  /** Content below the header, as a link. */
  below?: ReactNode
  /** The header is for screen readers only, as above actions. */
  silent?: true
  /** `false`: not in the table; `on-demand`: hidden until the person chooses it. */
  table?: false | 'on-demand'
  /**
   * The place on a card: `heading` and `aside` (first line), `fact` (below it), `more` (in the sheet of details, the
   * default) or `false`. An object can also replace the header and the cell. A cell of `null` omits the fact.
   */
  card?: false | CardPlace | { as: CardPlace; header?: string; cell?: (row: Row) => ReactNode }
  /** Another header in the exported file, or `false` to omit the column. A column without `value` is never in the file. */
  csv?: false | string
}

export function fileColumn<Row>(
  header: string,
  value: NonNullable<ListColumn<Row>['value']>
): ListColumn<Row> {
  return { id: `file ${header}`, header, value, table: false, card: false }
}

export function cellIn<Row>({ cell, value }: ListColumn<Row>, row: Row): ReactNode {
  return (cell ?? value)?.(row)
}

/** A row's facts that belong to these places on its card. */
export function cardFacts<Row>(
  columns: readonly ListColumn<Row>[],
  places: readonly CardPlace[],
  row: Row
): CardFact[] {
  return columns.flatMap((column) => {
    const { header, card = column.table === 'on-demand' ? false : 'more' } = column
    if (card === false) return []
    const placement: Exclude<typeof card, string> = typeof card === 'string' ? { as: card } : card
    if (!places.includes(placement.as)) return []
    const value = placement.cell ? placement.cell(row) : cellIn(column, row)
    if (value === null || value === undefined) return []
    return [{ name: placement.header ?? header, value }]
  })
}

export function csvColumns<Row>(columns: readonly ListColumn<Row>[]): CsvColumn<Row>[] {
  return columns.flatMap(({ header, value, csv = header }) =>
    value && csv !== false ? [{ header: csv, value }] : []
  )
}

/** The sort orders of a list as choices. */
export function sortChoices<Row>(columns: readonly ListColumn<Row>[]): { value: string; label: string }[] {
  return columns.flatMap(({ id, sort, oneWay }) => {
    if (!sort) return []
    const name = capitalized(sort)
    if (oneWay) return [{ value: `${id} desc`, label: name }]
    return [
      { value: `${id} asc`, label: `${name}, ascending` },
      { value: `${id} desc`, label: `${name}, descending` }
    ]
  })
}

/** ", sorted by name ascending"; empty if the list is not sorted by a column. */
export function sortText<Row>(
  columns: readonly ListColumn<Row>[],
  id: string,
  order: 'asc' | 'desc'
): string {
  const { sort, oneWay } = columns.find((column) => column.id === id) ?? {}
  if (!sort) return ''
  return oneWay ? `, ${sort}` : `, sorted by ${sort} ${order}ending`
}
