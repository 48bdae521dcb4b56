// A column of a list, for its table, its cards on a small screen and its file.
import type { ReactNode } from 'react'
import type { CsvColumn } from '../../../lib/csv.ts'

type CardPlace = 'heading' | 'fact' | 'more'

export interface CardFact {
  name: string
  /** Shows the value only. */
  plain?: boolean | undefined
  value: ReactNode
}

export interface ListColumn<Row> {
  /** Also the value of `sort` in the address. */
  id: string
  header: string
  /** The plain value, for the file and, without `cell`, for the table. */
  value?: (row: Row) => string | number | null | undefined
  cell?: (row: Row) => ReactNode
  /** The name of the sort. A column without it is not sortable. */
  sort?: string
  /** The first sort order, if it differs from the list's. */
  first?: 'asc' | 'desc'
  align?: 'end'
  /** The narrowest screen whose table shows it. */
  from?: 'laptop' | 'desktop'
  /** In the table; columns without a width share the rest. */
  width?: string | undefined
  /** The header is for screen readers only, as above actions. */
  silent?: true
  /** `false`: not in the table; `on-demand`: hidden until the person chooses it. */
  table?: false | 'on-demand'
  /**
   * The place on a card: heading, always in view, behind the button (the default), or none. An object can also replace the
   * header and the cell. A cell of `null` omits the fact; `plain` hides the header.
   */
  card?: false | CardPlace | { as: CardPlace; header?: string; plain?: true; cell?: (row: Row) => ReactNode }
  /** In the file: another header, or `false` for nothing. A column without `value` is not in the file. */
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

/** A row's facts in one place of its card. */
export function cardFacts<Row>(columns: readonly ListColumn<Row>[], place: CardPlace, row: Row): CardFact[] {
  return columns.flatMap((column) => {
    const { header, card = column.table === 'on-demand' ? false : 'more' } = column
    if (card === false) return []
    const own: Exclude<typeof card, string> = typeof card === 'string' ? { as: card } : card
    if (own.as !== place) return []
    const value = own.cell ? own.cell(row) : cellIn(column, row)
    if (value === null || value === undefined) return []
    return [{ name: own.header ?? header, ...(own.plain ? { plain: true } : {}), value }]
  })
}

export function csvColumns<Row>(columns: readonly ListColumn<Row>[]): CsvColumn<Row>[] {
  return columns.flatMap(({ header, value, csv = header }) =>
    value && csv !== false ? [{ header: csv, value }] : []
  )
}

export function sortsOf<Row>(columns: readonly ListColumn<Row>[]): Record<string, string> {
  return Object.fromEntries(columns.flatMap(({ id, sort }) => (sort ? [[id, sort]] : [])))
}
