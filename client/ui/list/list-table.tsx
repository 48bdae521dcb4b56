import { type ReactNode, useMemo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { MenuItem } from '../input/menu-button.tsx'
import { ColumnTable } from './column-table.tsx'
import { type ListColumn, onDemand, sortsOf, tableColumns } from './columns/column.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { RowActions } from './row-actions.tsx'
import type { Chosen } from './selection/use-selection.ts'

/** What a list shows its rows by, as a table or as cards. */
export interface RowsProps<Row> {
  /** By which name this browser remembers the columns that are chosen. */
  id: string
  label: string
  /** The table's, where that is another name. */
  caption?: string
  /** What several of its rows are called: "12 of 40 reports". */
  many: string
  /** The rows are not drawn anew as long as this is the same array (and `actions` the same function). */
  columns: readonly ListColumn<Row>[]
  rowKey: (row: Row) => string
  /** Names a row for those who do not see it. */
  nameOf: (row: Row) => string
  actions?: (row: Row) => MenuItem[]
  selection?: {
    chosen: Chosen<Row>
    /** Why a row cannot be chosen; null when it can. */
    refusalOf?: (row: Row) => string | null
  }
  /** See `DataTable`. */
  recycles?: boolean
}

export interface ListTableProps<Row> extends RowsProps<Row> {
  /** What ends a row, where that is more than a menu of the actions. */
  rowActions?: (row: Row) => ReactNode
  rows: readonly Row[]
  /** With those of other pages. */
  total: number
  busy: boolean
  sort: string
  order: 'asc' | 'desc'
  onSort: (column: string) => void
  /** The columns are chosen elsewhere. */
  chosen?: boolean
}

/** A list as a table of columns to choose from, which says what it shows and in which order. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { id, label, caption = label, many, columns, rows, rowKey, nameOf, actions, selection } = props
  const { rowActions, total, busy, sort, order, onSort, recycles = false, chosen } = props
  const shown = useMemo(() => {
    const menu =
      actions && ((row: Row) => <RowActions key={rowKey(row)} name={nameOf(row)} items={actions(row)} />)
    const cell = rowActions ?? menu
    const last = { id: 'actions', header: 'Actions', sortable: false, silent: true, align: 'end' as const }
    return [...tableColumns(columns), ...(cell ? [{ ...last, cell }] : [])]
  }, [columns, rowActions, actions, rowKey, nameOf])
  const word = sortsOf(columns)[sort]
  const hidden = useMemo(() => onDemand(columns), [columns])
  const table: DataTableProps<Row> = {
    caption,
    columns: shown,
    rows,
    rowKey,
    recycles,
    sort,
    order,
    onSort,
    busy,
    status: `${rows.length} of ${formatNumber(total)} ${many}${word ? `, sorted by ${word} ${order}ending` : ''}`,
    ...(selection
      ? {
          selection: {
            ...selection,
            nameOf,
            keys: selection.chosen.keys,
            onChange: (keys: ReadonlySet<string>) => selection.chosen.change(keys, rows)
          }
        }
      : {})
  }
  return chosen ? <DataTable {...table} /> : <ColumnTable list={id} hidden={hidden} {...table} />
}
