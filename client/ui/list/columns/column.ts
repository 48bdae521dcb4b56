// One column of a list, for the three ways that a list is seen: a table, cards on a small screen, and a file.
import type { ReactNode } from 'react'
import type { CsvColumn } from '../../../lib/csv.ts'
import type { CardFact } from '../card-list.tsx'
import type { Column as TableColumn } from '../data-table.tsx'

type CardPlace = 'heading' | 'fact' | 'more'

export interface ListColumn<Row> {
  /** Also the value of `sort` in the address. */
  id: string
  header: string
  /** Plain: what the file holds, and what shows where there is no `cell`. */
  value?: (row: Row) => string | number | null | undefined
  cell?: (row: Row) => ReactNode
  /** What it is called to sort by it; without a name it cannot be sorted by. */
  sort?: string
  /** The order that it is sorted in first, where that is not the list's. */
  first?: 'asc' | 'desc'
  /** Numbers stand at the right. */
  align?: 'end'
  /** In the table; what has none shares the rest. */
  width?: string | undefined
  /** `false`: not in the table; `on-demand`: once somebody asks for it. */
  table?: false | 'on-demand'
  /**
   * On a card: its heading, always in view, behind its button (if nothing is said), or nowhere. With a header or a cell of its
   * own where the card says it in other words; a cell of `null` leaves the fact out, `plain` its header.
   */
  card?: false | CardPlace | { as: CardPlace; header?: string; plain?: true; cell?: (row: Row) => ReactNode }
  /** In the file: another header, or `false` for nothing. What has no `value` is not in the file. */
  csv?: false | string
}

/** What only the file holds. */
export function fileColumn<Row>(
  header: string,
  value: NonNullable<ListColumn<Row>['value']>
): ListColumn<Row> {
  return { id: `file ${header}`, header, value, table: false, card: false }
}

const cellOf = <Row>({ cell, value }: ListColumn<Row>): ((row: Row) => ReactNode) =>
  cell ?? value ?? (() => null)

export function tableColumns<Row>(columns: readonly ListColumn<Row>[]): TableColumn<Row>[] {
  return columns
    .filter(({ table }) => table !== false)
    .map((column) => {
      const { id, header, sort, align, width } = column
      const sortable = sort !== undefined
      return { id, header, sortable, width, cell: cellOf(column), ...(align ? { align } : {}) }
    })
}

/** The columns that show once somebody asks for them. */
export function onDemand<Row>(columns: readonly ListColumn<Row>[]): string[] {
  return columns.filter(({ table }) => table === 'on-demand').map(({ id }) => id)
}

/** What a row's card says in a place of it. */
export function cardFacts<Row>(
  columns: readonly ListColumn<Row>[],
  place: CardPlace
): (row: Row) => CardFact[] {
  const shown = columns.flatMap((column) => {
    const { card = 'more', header, table } = column
    if (card === false || (table === 'on-demand' && column.card === undefined)) return []
    const own: Exclude<typeof card, string> = typeof card === 'string' ? { as: card } : card
    return own.as === place
      ? [
          {
            name: own.header ?? header,
            ...(own.plain ? { plain: true } : {}),
            cell: own.cell ?? cellOf(column)
          }
        ]
      : []
  })
  return (row) =>
    shown
      .map(({ cell, ...fact }) => ({ ...fact, value: cell(row) }))
      .filter(({ value }) => value !== null && value !== undefined)
}

export function csvColumns<Row>(columns: readonly ListColumn<Row>[]): CsvColumn<Row>[] {
  return columns.flatMap(({ header, value, csv = header }) =>
    value && csv !== false ? [{ header: csv, value }] : []
  )
}

/** What a list can be sorted by, in words. */
export function sortsOf<Row>(columns: readonly ListColumn<Row>[]): Record<string, string> {
  return Object.fromEntries(columns.flatMap(({ id, sort }) => (sort ? [[id, sort]] : [])))
}
