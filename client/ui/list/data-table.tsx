import './list.css'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { type CSSProperties, memo, type ReactNode, type RefObject, useRef } from 'react'
import { TickBox } from '../input/field.tsx'
import { cellIn, type ListColumn } from './columns/column.ts'

export interface DataTableProps<Row> {
  caption: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /**
   * Reuses the elements of the previous row at the same position, so that a new page changes only texts. A cell with
   * state (an open menu, "Copied") then needs the row's key.
   */
  recycles?: boolean | undefined
  sort?: string
  order?: 'asc' | 'desc'
  onSort?: (column: string) => void
  busy?: boolean
  /** A text that screen readers announce when it changes. */
  status: string
  selection?: Selection<Row> | undefined
  /** The row whose details are open beside the table. */
  currentKey?: string | undefined
}

export interface Selection<Row> {
  /** Keys of the selected rows on all pages. */
  keys: ReadonlySet<string>
  onChange: (keys: ReadonlySet<string>) => void
  nameOf: (row: Row) => string
  /** Why a row cannot be selected; null when it can. */
  refusalOf?: ((row: Row) => string | null) | undefined
}

const SKIPPABLE_ROWS = 10

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, recycles, selection, status, currentKey } = props
  const { sort, order = 'asc', onSort, busy = false } = props
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
            {columns.map((column) => (
              <ColumnHead
                key={column.id}
                column={column}
                columns={columns}
                sort={sort}
                order={order}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={recycles ? index : rowKey(row)}
              aria-current={currentKey !== undefined && rowKey(row) === currentKey ? 'true' : undefined}
              data-selected={selection?.keys.has(rowKey(row)) || undefined}
            >
              {selection && (
                <td className="column-select">
                  <SelectBox
                    row={row}
                    rows={rows}
                    rowKey={rowKey}
                    selection={selection}
                    lastTicked={lastTicked}
                  />
                </td>
              )}
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

interface ColumnHeadProps<Row> {
  column: ListColumn<Row>
  columns: readonly ListColumn<Row>[]
  sort: string | undefined
  order: 'asc' | 'desc'
  onSort: ((column: string) => void) | undefined
}

function ColumnHead<Row>({ column, columns, sort, order, onSort }: ColumnHeadProps<Row>) {
  const { id, header, sort: sortable, alsoSorts, silent, below } = column
  const isAlsoHead = alsoSorts && !columns.some((other) => other.id === alsoSorts.id)
  const sorts = [...(sortable ? [{ id, header }] : []), ...(isAlsoHead ? [alsoSorts] : [])]
  const isSorted = sorts.some((choice) => choice.id === sort)
  return (
    <th
      scope="col"
      className={classOf(column)}
      style={widthOf(column)}
      aria-sort={isSorted ? `${order}ending` : undefined}
      // Names the cells of the column, without what stands below the header.
      aria-label={below === undefined ? undefined : header}
    >
      {!sortable && <span className={silent ? 'sr-only' : undefined}>{header}</span>}
      {sorts.map((choice) => (
        <button
          key={choice.id}
          type="button"
          data-sorted={choice.id === sort || undefined}
          onClick={() => onSort?.(choice.id)}
        >
          {choice.header}
          {order === 'desc' && choice.id === sort ? <ArrowDown /> : <ArrowUp />}
        </button>
      ))}
      {below}
    </th>
  )
}

type RowCellsProps<Row> = Pick<DataTableProps<Row>, 'columns'> & { row: Row }

/** Memoized, because typing above the table must not render all rows. */
const RowCells = memo(function RowCells<Row>({ columns, row }: RowCellsProps<Row>) {
  const naming = columns.find(({ namesRow }) => namesRow) ?? columns[0]
  return columns.map((column) => {
    const Cell = column === naming ? 'th' : 'td'
    return (
      <Cell key={column.id} scope={column === naming ? 'row' : undefined} className={classOf(column)}>
        {cellIn(column, row)}
      </Cell>
    )
  })
}) as <Row>(props: RowCellsProps<Row>) => ReactNode

type CellLook = Pick<ListColumn<never>, 'id' | 'align' | 'from' | 'whole'>

const classOf = ({ id, align, from, whole }: CellLook) =>
  [`column-${id}`, align, whole && 'whole', from && `from-${from}`].filter(Boolean).join(' ')

/** A column of texts shares the space that no column needs, one that stays whole has its own width. */
function widthOf({ width, whole }: Pick<ListColumn<never>, 'width' | 'whole'>): CSSProperties | undefined {
  if (width === undefined) return undefined
  return { [whole ? '--whole-width' : '--text-width']: `${width}rem` } as CSSProperties
}

type SelectAllProps<Row> = Pick<DataTableProps<Row>, 'rows' | 'rowKey'> & { selection: Selection<Row> }

/** Selects the displayed rows. Rows of other pages stay as they are. */
function SelectAll<Row>({ rows, rowKey, selection: { keys, onChange, refusalOf } }: SelectAllProps<Row>) {
  const selectableKeys = rows.filter((row) => !refusalOf?.(row)).map(rowKey)
  const selectedCount = selectableKeys.filter((key) => keys.has(key)).length
  return (
    <td className="column-select">
      <TickBox
        name="Select all rows shown"
        checked={selectableKeys.length > 0 && selectedCount === selectableKeys.length}
        partly={selectedCount > 0 && selectedCount < selectableKeys.length}
        onChange={(checked) => {
          const newKeys = new Set(keys)
          for (const key of selectableKeys) checked ? newKeys.add(key) : newKeys.delete(key)
          onChange(newKeys)
        }}
      />
    </td>
  )
}

interface SelectBoxProps<Row> extends SelectAllProps<Row> {
  row: Row
  lastTicked?: RefObject<string | null>
}

/** Selects a row; with Shift held, all rows from the row ticked last to this row. */
export function SelectBox<Row>({ row, rows, rowKey, selection, lastTicked }: SelectBoxProps<Row>) {
  const { keys, onChange, nameOf, refusalOf } = selection
  const id = rowKey(row)
  const refusal = refusalOf?.(row)

  function tick(checked: boolean, isRange: boolean) {
    const allKeys = rows.map(rowKey)
    const index = allKeys.indexOf(id)
    const lastIndex = isRange ? allKeys.indexOf(lastTicked?.current ?? '') : -1
    const start = lastIndex < 0 ? index : lastIndex
    const newKeys = new Set(keys)
    for (const item of rows.slice(Math.min(start, index), Math.max(start, index) + 1))
      if (!refusalOf?.(item)) checked ? newKeys.add(rowKey(item)) : newKeys.delete(rowKey(item))
    if (lastTicked) lastTicked.current = id
    onChange(newKeys)
  }

  return (
    <TickBox
      name={`Select ${nameOf(row)}${refusal ? `: ${refusal}` : ''}`}
      checked={keys.has(id)}
      disabledReason={refusal}
      onChange={(checked, { nativeEvent }) => tick(checked, (nativeEvent as MouseEvent).shiftKey)}
    />
  )
}
