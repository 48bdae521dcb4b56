import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { type ReactNode, useRef } from 'react'

export interface Column<Row> {
  id: string
  header: string
  sortable: boolean
  cell: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  caption: string
  /** The first column names the row. */
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  sort: string
  order: 'asc' | 'desc'
  onSort: (column: string) => void
  busy: boolean
  /** Said politely whenever it changes. */
  status: string
}

const SKIPPABLE_ROWS = 10

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, order, onSort, busy, status } = props
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
            {columns.map(({ id, header, sortable }) => (
              <th key={id} scope="col" className={`column-${id}`} aria-sort={ariaSort(sort === id, order)}>
                {sortable ? (
                  <button type="button" onClick={() => onSort(id)}>
                    {header}
                    {order === 'desc' && sort === id ? <ArrowDown /> : <ArrowUp />}
                  </button>
                ) : (
                  header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ id, cell }, index) =>
                index === 0 ? (
                  <th key={id} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={id}>{cell(row)}</td>
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

function ariaSort(sorted: boolean, order: 'asc' | 'desc') {
  if (!sorted) return undefined
  return order === 'asc' ? ('ascending' as const) : ('descending' as const)
}
