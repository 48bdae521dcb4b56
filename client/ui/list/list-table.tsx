import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { type ReactNode, useMemo, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useTablet } from '../../lib/layout.ts'
import { Modal } from '../dialog/modal.tsx'
import type { MenuItem } from '../input/menu-button.tsx'
import { Facts } from './card-list.tsx'
import { cardFacts, type ListColumn, onDemand, sortsOf, tableColumns } from './columns/column.ts'
import { type ChoiceOptions, ColumnTable } from './columns/column-choice.tsx'
import { CardActions, RowActions } from './row-actions.tsx'
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
  /** A choice of columns that comes with the address, and columns that cannot show now. */
  choice?: Pick<ChoiceOptions, 'asked' | 'omit'>
  /** On a tablet all about a row, and its actions, are in a sheet: what it is called, and what the sheet begins with. */
  sheet?: { noun: string; lead: (row: Row) => ReactNode }
}

export interface ListTableProps<Row> extends RowsProps<Row> {
  rows: readonly Row[]
  /** With those of other pages. */
  total: number
  busy: boolean
  sort: string
  order: 'asc' | 'desc'
  onSort: (column: string) => void
}

/** A list as a table of columns to choose from, which says what it shows and in which order. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { id, label, caption = label, many, columns, rows, rowKey, nameOf, actions, selection } = props
  const { total, busy, sort, order, onSort, recycles = false, choice, sheet } = props
  const [open, setOpen] = useState<string | null>(null)
  const inSheet = useTablet() && sheet !== undefined
  const shown = useMemo(() => {
    const last = { id: 'actions', header: 'Actions', sortable: false, silent: true, align: 'end' as const }
    const cell = (row: Row) => {
      const key = rowKey(row)
      const onOpen = inSheet ? () => setOpen(key) : undefined
      return <RowActions key={key} name={nameOf(row)} items={actions?.(row) ?? []} onOpen={onOpen} />
    }
    return [...tableColumns(columns), ...(actions ? [{ ...last, cell }] : [])]
  }, [columns, actions, rowKey, nameOf, inSheet])
  const word = sortsOf(columns)[sort]
  const hidden = useMemo(() => onDemand(columns), [columns])
  const chosen = selection && {
    ...selection,
    nameOf,
    keys: selection.chosen.keys,
    onChange: (keys: ReadonlySet<string>) => selection.chosen.change(keys, rows)
  }
  return (
    <>
      <ColumnTable
        list={id}
        hidden={hidden}
        {...choice}
        {...{ caption, rows, rowKey, recycles, sort, order, onSort, busy }}
        columns={shown}
        status={`${rows.length} of ${formatNumber(total)} ${many}${word ? `, sorted by ${word} ${order}ending` : ''}`}
        {...(chosen ? { selection: chosen } : {})}
      />
      {sheet && open !== null && (
        <RowSheet {...props} sheet={sheet} open={open} onMove={setOpen} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

interface RowSheetProps<Row> extends ListTableProps<Row> {
  sheet: NonNullable<RowsProps<Row>['sheet']>
  /** The key of the row. */
  open: string
  onMove: (key: string) => void
  onClose: () => void
}

/** All about a row, at the side of the table, with ways to the next ones. */
function RowSheet<Row>(props: RowSheetProps<Row>) {
  const { rows, rowKey, nameOf, columns, actions, sheet, open, onMove, onClose } = props
  const at = rows.findIndex((row) => rowKey(row) === open)
  const row = rows[at]
  if (!row) return null
  const steps = [
    { name: `Previous ${sheet.noun}`, Icon: ChevronUp, to: rows[at - 1] },
    { name: `Next ${sheet.noun}`, Icon: ChevronDown, to: rows[at + 1] }
  ]
  return (
    <Modal title={nameOf(row)} kind="side" onClose={onClose}>
      <div className="modal-body row-sheet">
        <div className="sheet-steps">
          {sheet.lead(row)}
          {steps.map(({ name, Icon, to }) => (
            <button
              key={name}
              type="button"
              className="button quiet icon"
              aria-label={name}
              aria-disabled={!to}
              onClick={() => to && onMove(rowKey(to))}
            >
              <Icon />
            </button>
          ))}
        </div>
        <Facts
          facts={[...cardFacts(columns, 'fact')(row), ...cardFacts(columns, 'more')(row)].map(
            ({ name, value }) => ({ name, value })
          )}
        />
        {actions && <CardActions items={actions(row)} />}
      </div>
    </Modal>
  )
}
