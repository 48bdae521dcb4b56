import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { Page } from '#shared/entities.ts'
import { useLayout, useTablet } from '../../lib/layout.ts'
import { CardList } from './card-list.tsx'
import { SelectBox } from './data-table.tsx'
import { ListCard, type ListCardProps } from './list-card.tsx'
import { ListTable, type ListTableProps, type RowsProps, selectionOf } from './list-table.tsx'
import { LoadMore, useFocusOnNew } from './load-more.tsx'
import { Pager } from './pager.tsx'
import { CardActions, InlineAction } from './row-actions.tsx'

interface Sorted {
  sort: string
  order: string
}

interface CardProps<Row> {
  /** Before a card's heading, and after it. */
  mark?: (row: Row) => ReactNode
  tail?: (row: Row) => ReactNode
  /** Loads more rows below, instead of pages; null when there are no more. */
  more?: { label: string; onLoad: () => void } | null | undefined
}

interface ListProps<Row> extends RowsProps<Row>, CardProps<Row>, Omit<ListCardProps, 'children' | 'size'> {
  /** Undefined until it is loaded. */
  page: Page<Row> | undefined
  size: number
  query: {
    values: Sorted & { page: string }
    change: (values: Partial<Sorted & { page: string }>, corrects?: boolean) => void
  }
  /** The actual order, if the address has an unknown one. */
  sorted?: Sorted
  /** The order that a column is sorted in first. */
  first?: 'asc' | 'desc'
  /** Actions on the selected rows. */
  bar?: ReactNode
}

/** A page of rows with all that a list has: a table on a wide screen and a tablet, cards on a phone. */
export function List<Row>(props: ListProps<Row>) {
  const { page, empty, foot, bar, query, columns, more } = props
  const { busy } = props.load
  const { sort, order } = props.sorted ?? query.values
  const toPage = (number: number, corrects = false) => query.change({ page: String(number + 1) }, corrects)

  // The page of an address may no longer exist.
  const last = page ? page.page.totalPages - 1 : 0
  const past = page?.items.length === 0 && last >= 0 && page.page.number > last && !busy
  const showLast = useEffectEvent(() => toPage(last, true))
  useEffect(() => {
    if (past) showLast()
  }, [past])

  return (
    <ListCard
      {...props}
      empty={page?.page.totalElements === 0 && empty}
      foot={
        page && (
          <>
            {bar}
            {foot}
            {more === undefined && (
              <Pager label={`Pages of ${props.many}`} page={page.page} onPage={(number) => toPage(number)} />
            )}
          </>
        )
      }
    >
      {page && page.items.length > 0 && (
        <ListRows
          {...props}
          rows={page.items}
          total={page.page.totalElements}
          busy={busy}
          sort={sort}
          order={order === 'desc' ? 'desc' : 'asc'}
          onSort={(id) => {
            const first = columns.find((column) => column.id === id)?.first ?? props.first ?? 'asc'
            const again = sort === id && order === first
            const other = first === 'asc' ? 'desc' : 'asc'
            query.change({ sort: id, order: again ? other : first })
          }}
        />
      )}
    </ListCard>
  )
}

type ListRowsProps<Row> = ListTableProps<Row> & CardProps<Row>

function ListRows<Row>(props: ListRowsProps<Row>) {
  const tablet = useTablet()
  return useLayout() === 'mobile' && !tablet ? <Cards {...props} /> : <ListTable {...props} />
}

function Cards<Row>(props: ListRowsProps<Row>) {
  const { label, many, columns, rows, total, rowKey, nameOf, actions, mark, more } = props
  const { tail = (row: Row) => <InlineAction name={nameOf(row)} items={actions?.(row) ?? []} /> } = props
  const selection = selectionOf(props)
  const { list, expectMore } = useFocusOnNew(rows.length)
  return (
    <>
      <CardList
        {...{ label, list, rows, rowKey, columns, nameOf, tail }}
        actions={actions && ((row) => <CardActions items={actions(row)} />)}
        chosen={(row) => selection?.keys.has(rowKey(row)) ?? false}
        lead={(row) => (
          <>
            {mark?.(row)}
            {selection && <SelectBox {...{ row, rows, rowKey, selection }} />}
          </>
        )}
      />
      <p role="status" className="sr-only">{`${rows.length} of ${total} ${many} shown`}</p>
      {more && (
        <LoadMore
          label={more.label}
          busy={props.busy}
          onScroll={false}
          onLoad={() => {
            expectMore()
            more.onLoad()
          }}
        />
      )}
    </>
  )
}
