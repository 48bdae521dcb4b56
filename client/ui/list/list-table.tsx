import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { count } from '../../lib/format.ts'
import { useTablet } from '../../lib/layout.ts'
import type { MenuItem } from '../input/menu-button.tsx'
import { cellIn, type ListColumn, sortText } from './columns/column.ts'
import type { ChoiceOptions } from './columns/column-choice.tsx'
import { DataTable, type Selection } from './data-table.tsx'
import { RowActions } from './row-actions.tsx'
import { RowSheet } from './row-sheet.tsx'
import type { Chosen } from './selection/use-selection.ts'

export interface TableOptions<Row> {
  /** The table's name, if it differs from the list's name. */
  caption?: string
  rowKey: (row: Row) => string
  nameOf: (row: Row) => string
  /** Use `false` for an action that the person may not perform. Memoize the function if it does not change. */
  actions?: (row: Row) => readonly (MenuItem | false)[]
  selection?: { chosen: Chosen<Row>; refusalOf?: Selection<Row>['refusalOf'] } | undefined
  /** As `recycles` of a table. */
  recycles?: boolean
  /** The row whose details are open beside the table. */
  currentKey?: string | undefined
  columnChoice?: ChoiceOptions
  /** Whether a sheet shows a row and its actions on a tablet. */
  sheet?: boolean
  /** Whether the first cell of a row opens the sheet on a desk. For rows without a page of their own. */
  sheetOnDesk?: boolean
  sheetLead?: (row: Row) => ReactNode
}

export interface ListTableProps<Row> extends TableOptions<Row> {
  noun: string
  label: string
  columns: readonly ListColumn<Row>[]
  /** The columns that the table shows. */
  shown: readonly ListColumn<Row>[]
  rows: readonly Row[]
  total: number
  busy: boolean
  sort: string
  order: 'asc' | 'desc'
  onSort: (column: string) => void
}

/** The row's actions that the person may perform. */
export function actionsOf<Row>({ actions }: Pick<TableOptions<Row>, 'actions'>, row: Row): MenuItem[] {
  return actions?.(row).filter((item) => item !== false) ?? []
}

export function selectionOf<Row>({ selection, rows, nameOf }: ListTableProps<Row>) {
  if (!selection) return undefined
  const { chosen, refusalOf } = selection
  const onChange = (keys: ReadonlySet<string>) => chosen.change(keys, rows)
  return { keys: chosen.keys, onChange, nameOf, refusalOf } satisfies Selection<Row>
}

export function ListTable<Row>(props: ListTableProps<Row>) {
  const { noun, label, caption = label, columns, shown } = props
  const { rows, rowKey, nameOf, actions, total, busy, sort, order, onSort, recycles, currentKey } = props
  const { sheet, sheetOnDesk } = props
  const [openKey, setOpenKey] = useState<string | null>(null)
  const tablet = useTablet()
  const inSheet = tablet && sheet === true
  const firstOpens = !tablet && sheetOnDesk === true
  const withActions = useMemo((): readonly ListColumn<Row>[] => {
    const [first, ...others] = shown
    const named =
      first && firstOpens ? [withButton(first, (row) => setOpenKey(rowKey(row))), ...others] : shown
    if (!actions) return named
    const cell = (row: Row) => {
      const key = rowKey(row)
      const onOpen = inSheet ? () => setOpenKey(key) : undefined
      return <RowActions key={key} name={nameOf(row)} items={actionsOf({ actions }, row)} onOpen={onOpen} />
    }
    return [...named, { id: 'actions', header: 'Actions', silent: true, align: 'end', cell }]
  }, [shown, actions, rowKey, nameOf, inSheet, firstOpens])
  return (
    <>
      <DataTable
        caption={caption}
        columns={withActions}
        rows={rows}
        rowKey={rowKey}
        recycles={recycles}
        currentKey={currentKey}
        sort={sort}
        order={order}
        onSort={onSort}
        busy={busy}
        status={`${rows.length} of ${count(total, noun)}${sortText(columns, sort, order)}`}
        selection={selectionOf(props)}
      />
      {sheet && openKey !== null && <SheetOfRow {...props} openKey={openKey} onOpen={setOpenKey} />}
    </>
  )
}

function withButton<Row>(column: ListColumn<Row>, onOpen: (row: Row) => void): ListColumn<Row> {
  return {
    ...column,
    cell: (row) => (
      <button type="button" className="link-button quiet" aria-haspopup="dialog" onClick={() => onOpen(row)}>
        <span className="sr-only">Details of</span> {cellIn(column, row)}
      </button>
    )
  }
}

interface SheetOfRowProps<Row> extends ListTableProps<Row> {
  openKey: string
  onOpen: (key: string | null) => void
}

/** The sheet of a list's row that is open. */
export function SheetOfRow<Row>({ openKey, onOpen, ...props }: SheetOfRowProps<Row>) {
  const { noun, rows, rowKey, nameOf, columns, sheetLead } = props
  const row = rows.find((candidate) => rowKey(candidate) === openKey)
  const isGone = row === undefined
  // Otherwise the sheet would open by itself when its row comes back.
  useEffect(() => {
    if (isGone) onOpen(null)
  }, [isGone, onOpen])
  if (!row) return null
  return (
    <RowSheet
      noun={noun}
      rows={rows}
      rowKey={rowKey}
      nameOf={nameOf}
      columns={columns}
      actions={actionsOf(props, row)}
      lead={sheetLead?.(row)}
      openKey={openKey}
      onMove={onOpen}
      onClose={() => onOpen(null)}
    />
  )
}
