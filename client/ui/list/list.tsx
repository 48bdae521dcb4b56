import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { Page } from '#shared/entities.ts'
import { capitalized, count } from '../../lib/format.ts'
import { useLayout, useTablet } from '../../lib/layout.ts'
import type { ListDefaults, ListQuery } from '../../lib/use-list-query.ts'
import { SearchField } from '../input/search-field.tsx'
import { CardList } from './card-list.tsx'
import { sortsOf } from './columns/column.ts'
import { SelectBox } from './data-table.tsx'
import { Filters } from './filters/filter-sheet.tsx'
import { type Filter, HeldFilters, set } from './filters/filters.tsx'
import { ListCard, type ListCardProps, NoMatch } from './list-card.tsx'
import { ListExport, type ListFile } from './list-export.tsx'
import { actionsOf, ListTable, type ListTableProps, type RowsProps, selectionOf } from './list-table.tsx'
import { LoadMore, useFocusOnNew } from './load-more.tsx'
import { Pager } from './pager.tsx'
import { RefreshButton } from './refresh-button.tsx'
import { CardActions, InlineAction } from './row-actions.tsx'

interface Sorted {
  sort: string
  order: string
}

type ListView = ListDefaults & Sorted & { page: string }

interface CardProps<Row> {
  /** Content before a card's heading (`mark`) and after the heading (`tail`). */
  mark?: (row: Row) => ReactNode
  tail?: (row: Row) => ReactNode
  /** A button below the rows that loads more rows, instead of a pager; null if there are no more rows. */
  more?: { label: string; onLoad: () => void } | null | undefined
}

interface ListProps<Row, View extends ListView>
  extends RowsProps<Row>,
    CardProps<Row>,
    Omit<ListCardProps, 'label' | 'children' | 'stale'> {
  label?: string
  query: ListQuery<View>
  /** The label of the search field. The keyword is `q` in the address. */
  search?: string
  filters?: readonly Filter<View>[]
  refreshes?: boolean
  file?: ListFile<Row>
  /** The page of rows to show; undefined until the page is loaded. */
  page: Page<Row> | undefined
  /** The sort order in effect, if the address contains an unknown sort order. */
  sorted?: Sorted
  /** The direction of the first sort by a column. */
  first?: 'asc' | 'desc'
  bar?: ReactNode
}

/** A complete list: a table on wide screens and tablets, cards on phones. */
export function List<Row, View extends ListView>(props: ListProps<Row, View>) {
  const { page, noun, filters = [], empty, foot, bar, query, columns, more } = props
  const { label = `${capitalized(noun)}s` } = props
  const { toolbar = <Toolbar {...props} />, chips = <HeldFilters query={query} filters={filters} /> } = props
  const { busy } = props.load
  const { sort, order } = props.sorted ?? query.values
  const toPage = (number: number, corrects = false) =>
    query.change(set({ page: String(number + 1) }), corrects)

  // The address may contain a page that no longer exists.
  const lastNumber = page ? page.page.totalPages - 1 : 0
  const isPastEnd = page?.items.length === 0 && lastNumber >= 0 && page.page.number > lastNumber && !busy
  const showLast = useEffectEvent(() => toPage(lastNumber, true))
  useEffect(() => {
    if (isPastEnd) showLast()
  }, [isPastEnd])

  return (
    <ListCard
      {...props}
      {...{ label, toolbar, chips }}
      stale={`The ${noun}s below`}
      empty={page?.page.totalElements === 0 && (noMatch(props) ?? empty)}
      foot={
        page && (
          <>
            {bar}
            {foot}
            {more === undefined && (
              <Pager label={`Pages of ${noun}s`} page={page.page} onPage={(number) => toPage(number)} />
            )}
          </>
        )
      }
    >
      {page && page.items.length > 0 && (
        <ListRows
          {...props}
          label={label}
          rows={page.items}
          total={page.page.totalElements}
          busy={busy}
          sort={sort}
          order={order === 'desc' ? 'desc' : 'asc'}
          onSort={(id) => {
            const firstOrder = columns.find((column) => column.id === id)?.first ?? props.first ?? 'asc'
            const isSorted = sort === id && order === firstOrder
            const otherOrder = firstOrder === 'asc' ? 'desc' : 'asc'
            query.change(set({ sort: id, order: isSorted ? otherOrder : firstOrder }))
          }}
        />
      )}
    </ListCard>
  )
}

function Toolbar<Row, View extends ListView>(props: ListProps<Row, View>) {
  const { query, search, filters, refreshes, file, load, page, noun, columns } = props
  return (
    <>
      {search && (
        <SearchField label={search} value={query.values.q ?? ''} onSearch={(q) => query.change(set({ q }))} />
      )}
      {filters && <Filters query={query} filters={filters} sorts={sortsOf(columns)} />}
      <div className="row toolbar-end">
        {refreshes && <RefreshButton busy={load.busy} onRefresh={load.reload} />}
        {file && <ListExport {...file} {...{ noun, columns }} total={page?.page.totalElements ?? null} />}
      </div>
    </>
  )
}

/** The empty state of a list with a keyword or a filter; null without them. */
function noMatch<Row, View extends ListView>({ query, search, filters = [], noun }: ListProps<Row, View>) {
  const { values, defaults, clear } = query
  const names = [...(search ? ['q'] : []), ...filters.flatMap((filter) => filter.names)]
  if (names.every((name) => values[name] === defaults[name])) return null
  const keyword = search && values.q?.trim()
  return (
    <NoMatch
      title={keyword ? `No ${noun}s match “${values.q}”` : `No ${noun}s match these filters`}
      onClear={() => clear(...names)}
    />
  )
}

type ListRowsProps<Row> = ListTableProps<Row> & CardProps<Row>

function ListRows<Row>(props: ListRowsProps<Row>) {
  const tablet = useTablet()
  return useLayout() === 'mobile' && !tablet ? <Cards {...props} /> : <ListTable {...props} />
}

function Cards<Row>(props: ListRowsProps<Row>) {
  const { label, noun, columns, rows, total, rowKey, nameOf, actions, mark, more } = props
  const { tail = (row: Row) => <InlineAction name={nameOf(row)} items={actionsOf(props, row)} /> } = props
  const selection = selectionOf(props)
  const { list, expectMore } = useFocusOnNew(rows.length)
  return (
    <>
      <CardList
        {...{ label, list, rows, rowKey, columns, nameOf, tail }}
        actions={actions && ((row) => <CardActions items={actionsOf(props, row)} />)}
        chosen={(row) => selection?.keys.has(rowKey(row)) ?? false}
        lead={(row) => (
          <>
            {mark?.(row)}
            {selection && <SelectBox {...{ row, rows, rowKey, selection }} />}
          </>
        )}
      />
      <p role="status" className="sr-only">{`${rows.length} of ${count(total, noun)} shown`}</p>
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
