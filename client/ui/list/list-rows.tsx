import { type ReactNode, useState } from 'react'
import { count } from '../../lib/format.ts'
import { useLayout, useTablet } from '../../lib/layout.ts'
import type { MenuItem } from '../input/menu-button.tsx'
import { SelectBox } from './data-table.tsx'
import {
  actionsOf,
  ListTable,
  type ListTableProps,
  SheetOfRow,
  selectionOf,
  type TableOptions
} from './list-table.tsx'
import { LoadMore, useFocusOnNew } from './load-more.tsx'
import { InlineAction } from './row-actions.tsx'
import { RowCards } from './row-cards.tsx'

interface CardOptions<Row> {
  /** A mark at the edge of a card, as of a priority. */
  cardMark?: (row: Row) => ReactNode
  /** The content of a card, instead of the facts of its columns. */
  card?: (row: Row) => ReactNode
  /** Whether wide screens and tablets show cards too. */
  asCards?: boolean
}

export interface MoreRows {
  label: string
  onLoad: () => void
  /** Whether scrolling loads them too. */
  onScroll?: boolean
}

export interface RowsOptions<Row> extends TableOptions<Row>, CardOptions<Row> {}

interface ListRowsProps<Row> extends ListTableProps<Row>, CardOptions<Row> {
  loadMore: MoreRows | null | undefined
}

/** The rows of a list as a table or as cards. */
export function ListRows<Row>(props: ListRowsProps<Row>) {
  const tablet = useTablet()
  const isPhone = useLayout() === 'mobile' && !tablet
  return isPhone || props.asCards ? <Cards {...props} /> : <ListTable {...props} />
}

/** A dangerous action is in the details only, where no thumb meets it by accident. */
const isSafe = ({ tone }: MenuItem) => tone !== 'danger'

function Cards<Row>(props: ListRowsProps<Row>) {
  const { label, noun, columns, rows, total, busy, rowKey, nameOf, recycles, cardMark, card, loadMore } =
    props
  const [openKey, setOpenKey] = useState<string | null>(null)
  const selection = selectionOf(props)
  const { list, expectMore } = useFocusOnNew(rows.length)
  return (
    <>
      {card ? (
        <ul className="card-grid" aria-label={label} ref={list}>
          {rows.map((row, index) => (
            <li key={recycles ? index : rowKey(row)}>{card(row)}</li>
          ))}
        </ul>
      ) : (
        <RowCards
          label={label}
          list={list}
          rows={rows}
          rowKey={rowKey}
          columns={columns}
          nameOf={nameOf}
          start={(row) => (
            <>
              {cardMark?.(row)}
              {selection && <SelectBox row={row} rows={rows} rowKey={rowKey} selection={selection} />}
            </>
          )}
          end={(row) => <InlineAction name={nameOf(row)} items={actionsOf(props, row).filter(isSafe)} />}
          isSelected={(row) => selection?.keys.has(rowKey(row)) ?? false}
          onOpen={(row) => setOpenKey(rowKey(row))}
        />
      )}
      {openKey !== null && <SheetOfRow {...props} openKey={openKey} onOpen={setOpenKey} />}
      <p role="status" className="sr-only">{`${rows.length} of ${count(total, noun)} shown`}</p>
      {loadMore && (
        <LoadMore
          // A new button for each batch: a button that stays in view, as in a tall window, reports that only once.
          key={rows.length}
          label={loadMore.label}
          busy={busy}
          onScroll={loadMore.onScroll === true}
          onLoad={(byHand) => {
            if (byHand) expectMore()
            loadMore.onLoad()
          }}
        />
      )}
    </>
  )
}
