import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { type ReactNode, useRef } from 'react'

export interface Column<Row> {
  id: string
  header: string
  sortable: boolean
  /** Numbers stand at the right. */
  align?: 'end'
  /** The header is for screen readers only, as above actions. */
  silent?: boolean
  cell: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  caption: string
  /** The first column names the row. */
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /**
   * A row is drawn into what the one at its place was drawn into: of another page only the words are new. What a cell remembers
   * (an open menu, "Copied") must then carry the row's key itself.
   */
  recycles?: boolean
  sort: string
  order: 'asc' | 'desc'
  onSort: (column: string) => void
  busy: boolean
  /** Said politely whenever it changes. */
  status: string
  selection?: Selection<Row>
  /** Stands above the actions. */
  corner?: ReactNode
}

export interface Selection<Row> {
  /** Keys of the chosen rows, on this page or not. */
  keys: ReadonlySet<string>
  onChange: (keys: ReadonlySet<string>) => void
  /** Names a row's box. */
  nameOf: (row: Row) => string
  /** Why a row cannot be chosen; null when it can. */
  refusalOf?: (row: Row) => string | null
}

const SKIPPABLE_ROWS = 10

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, recycles, sort, order, onSort, busy, status, selection, corner } =
    props
  const end = useRef<HTMLDivElement>(null)
  return (
    <div className="table-region">
      {rows.length > SKIPPABLE_ROWS && (
        <button type="button" className="button skip-table" onClick={() => end.current?.focus()}>
          Skip this table
        </button>
      )}
      <table className="data-table" aria-busy={busy}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {selection && <SelectAll rows={rows} rowKey={rowKey} selection={selection} />}
            {columns.map(({ id, header, sortable, align, silent }) => (
              <th
                key={id}
                scope="col"
                className={`column-${id}${align ? ' end' : ''}`}
                aria-sort={ariaSort(sort === id, order)}
              >
                {sortable ? (
                  <button type="button" onClick={() => onSort(id)}>
                    {header}
                    {order === 'desc' && sort === id ? <ArrowDown /> : <ArrowUp />}
                  </button>
                ) : (
                  <span className={silent ? 'sr-only' : undefined}>{header}</span>
                )}
                {silent && corner}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr
              key={recycles ? place : rowKey(row)}
              data-selected={selection?.keys.has(rowKey(row)) || undefined}
            >
              {selection && <SelectRow row={row} id={rowKey(row)} selection={selection} />}
              {columns.map(({ id, cell, align }, index) =>
                index === 0 ? (
                  <th key={id} scope="row" className={align}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={id} className={align}>
                    {cell(row)}
                  </td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <div ref={end} tabIndex={-1} role="status" className="sr-only">
        {status}
      </div>
    </div>
  )
}

interface SelectAllProps<Row> {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  selection: Selection<Row>
}

/** Chooses what shows; rows of other pages stay as they are. */
function SelectAll<Row>({ rows, rowKey, selection: { keys, onChange, refusalOf } }: SelectAllProps<Row>) {
  const open = rows.filter((row) => !refusalOf?.(row)).map(rowKey)
  const chosen = open.filter((key) => keys.has(key)).length
  return (
    <td className="column-select">
      <input
        type="checkbox"
        aria-label="Select all rows shown"
        checked={open.length > 0 && chosen === open.length}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < open.length
        }}
        onChange={(event) => {
          const next = new Set(keys)
          for (const key of open) event.target.checked ? next.add(key) : next.delete(key)
          onChange(next)
        }}
      />
    </td>
  )
}

function SelectRow<Row>({ row, id, selection }: { row: Row; id: string; selection: Selection<Row> }) {
  const { keys, onChange, nameOf, refusalOf } = selection
  const refusal = refusalOf?.(row) ?? null
  return (
    <td className="column-select" title={refusal ?? undefined}>
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(row)}${refusal ? `: ${refusal}` : ''}`}
        aria-disabled={refusal ? true : undefined}
        checked={keys.has(id)}
        onChange={(event) => {
          if (refusal) return
          const next = new Set(keys)
          event.target.checked ? next.add(id) : next.delete(id)
          onChange(next)
        }}
      />
    </td>
  )
}

function ariaSort(sorted: boolean, order: 'asc' | 'desc') {
  if (!sorted) return undefined
  return order === 'asc' ? ('ascending' as const) : ('descending' as const)
}
