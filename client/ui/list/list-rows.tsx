import type { ReactNode } from 'react'
import { count } from '../../lib/format.ts'
import { useLayout, useTablet } from '../../lib/layout.ts'
import { SelectBox } from './data-table.tsx'
import { actionsOf, ListTable, type ListTableProps, selectionOf, type TableOptions } from './list-table.tsx'
import { LoadMore, useFocusOnNew } from './load-more.tsx'
import { CardActions, InlineAction } from './row-actions.tsx'
import { RowCards } from './row-cards.tsx'

interface CardOptions<Row> {
  /** Content before and after the heading of a card. */
  beforeHeading?: (row: Row) => ReactNode
  afterHeading?: (row: Row) => ReactNode
}

export interface RowsOptions<Row> extends TableOptions<Row>, CardOptions<Row> {}

interface ListRowsProps<Row> extends ListTableProps<Row>, CardOptions<Row> {
  loadMore: { label: string; onLoad: () => void } | null | undefined
}

/** The rows of a list: a table on wide screens and tablets, cards on phones. */
export function ListRows<Row>(props: ListRowsProps<Row>) {
  const tablet = useTablet()
  const isPhone = useLayout() === 'mobile' && !tablet
  return isPhone ? <Cards {...props} /> : <ListTable {...props} />
}

function Cards<Row>(props: ListRowsProps<Row>) {
  const { label, noun, columns, rows, total, busy, rowKey, nameOf, actions, beforeHeading, loadMore } = props
  const inlineAction = (row: Row) => <InlineAction name={nameOf(row)} items={actionsOf(props, row)} />
  const { afterHeading = inlineAction } = props
  const selection = selectionOf(props)
  const { list, expectMore } = useFocusOnNew(rows.length)
  return (
    <>
      <RowCards
        label={label}
        list={list}
        rows={rows}
        rowKey={rowKey}
        columns={columns}
        nameOf={nameOf}
        beforeHeading={(row) => (
          <>
            {beforeHeading?.(row)}
            {selection && <SelectBox row={row} rows={rows} rowKey={rowKey} selection={selection} />}
          </>
        )}
        afterHeading={afterHeading}
        actions={actions && ((row) => <CardActions items={actionsOf(props, row)} />)}
        isSelected={(row) => selection?.keys.has(rowKey(row)) ?? false}
      />
      <p role="status" className="sr-only">{`${rows.length} of ${count(total, noun)} shown`}</p>
      {loadMore && (
        <LoadMore
          label={loadMore.label}
          busy={busy}
          onScroll={false}
          onLoad={() => {
            expectMore()
            loadMore.onLoad()
          }}
        />
      )}
    </>
  )
}
