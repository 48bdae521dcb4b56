import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { memo, type ReactNode, type RefObject, useRef } from 'react'

export interface Column<Row> {
  id: string
  header: string
  sortable: boolean
  /** Numbers stand at the right. */
  align?: 'end'
  /** Of the table; what has none shares the rest. */
  width?: string | undefined
  /** The header is for screen readers only, as above actions. */
  silent?: boolean
  cell: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  caption: string
  /** The first column names the row. */
  columns: readonly Column<Row>[]
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
  const lastTicked = useRef<string | null>(null)
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
            {columns.map(({ id, header, sortable, align, silent, width }) => (
              <th
                key={id}
                scope="col"
                className={classOf({ id, align })}
                aria-sort={ariaSort(sort === id, order)}
                style={{ width }}
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
              {selection && <SelectRow {...{ row, rows, rowKey, selection, lastTicked }} />}
              <RowCells columns={columns} row={row} />
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

interface RowCellsProps<Row> {
  columns: readonly Column<Row>[]
  row: Row
}

/** Drawn anew only for other columns or another row: not for every key that is typed above the table. */
const RowCells = memo(function RowCells<Row>({ columns, row }: RowCellsProps<Row>) {
  return columns.map((column, index) => {
    const Cell = index === 0 ? 'th' : 'td'
    return (
      <Cell key={column.id} scope={index === 0 ? 'row' : undefined} className={classOf(column)}>
        {column.cell(row)}
      </Cell>
    )
  })
}) as <Row>(props: RowCellsProps<Row>) => ReactNode

const classOf = ({ id, align }: { id: string; align?: 'end' | undefined }) =>
  `column-${id}${align ? ' end' : ''}`

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
      <label className="select-box">
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
      </label>
    </td>
  )
}

interface SelectRowProps<Row> extends SelectAllProps<Row> {
  row: Row
  lastTicked: RefObject<string | null>
}

/** With Shift held, a box decides on all rows between the last one and its own. */
function SelectRow<Row>({ row, rows, rowKey, selection, lastTicked }: SelectRowProps<Row>) {
  const { keys, onChange, nameOf, refusalOf } = selection
  const id = rowKey(row)
  const refusal = refusalOf?.(row) ?? null

  function tick(checked: boolean, ranged: boolean) {
    const all = rows.map(rowKey)
    const from = ranged && lastTicked.current !== null ? all.indexOf(lastTicked.current) : -1
    const ends = [from < 0 ? all.indexOf(id) : from, all.indexOf(id)].sort((a, b) => a - b)
    const next = new Set(keys)
    for (const one of rows.slice(ends[0], Number(ends[1]) + 1))
      if (!refusalOf?.(one)) checked ? next.add(rowKey(one)) : next.delete(rowKey(one))
    lastTicked.current = id
    onChange(next)
  }

  return (
    <td className="column-select" title={refusal ?? undefined}>
      <label className="select-box" onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
        <input
          type="checkbox"
          aria-label={`Select ${nameOf(row)}${refusal ? `: ${refusal}` : ''}`}
          aria-disabled={refusal ? true : undefined}
          checked={keys.has(id)}
          onChange={({ target, nativeEvent }) =>
            refusal || tick(target.checked, (nativeEvent as MouseEvent).shiftKey)
          }
        />
      </label>
    </td>
  )
}

function ariaSort(sorted: boolean, order: 'asc' | 'desc') {
  if (!sorted) return undefined
  return order === 'asc' ? ('ascending' as const) : ('descending' as const)
}
