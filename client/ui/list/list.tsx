import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { Page } from '#shared/answers/parts.ts'
import { capitalized } from '../../lib/format.ts'
import { useLayout, useTablet } from '../../lib/layout.ts'
import type { ListDefaults, ListQuery } from '../../lib/use-list-query.ts'
import type { ListColumn } from './columns/column.ts'
import { ColumnMenu, useColumnChoice } from './columns/column-choice.tsx'
import { useDensity } from './density.ts'
import { type SortOrder, set } from './filters/filters.tsx'
import { ListFrame, type ListLoad, NoMatch } from './list-frame.tsx'
import { ListRows, type MoreRows, type RowsOptions } from './list-rows.tsx'
import { ListToolbar, type ToolbarOptions } from './list-toolbar.tsx'
import { Pager } from './pager.tsx'
import { useAllOnPaper } from './print-all.tsx'

type ListView = ListDefaults & SortOrder & { page: string }

interface FootOptions {
  selectionBar?: ReactNode
  note?: ReactNode
  /** A button below the rows that loads more rows, instead of a pager; null if there are no more rows. */
  loadMore?: MoreRows | null | undefined
}

interface ListProps<Row, View extends ListView> {
  /** One row, as in "No users match". */
  noun: string
  /** The list's name, if it is not the plural of `noun`. */
  label?: string
  className?: string
  query: ListQuery<View>
  load: ListLoad
  /** The page of rows to show; undefined until the page is loaded. */
  page: Page<Row> | undefined
  /** The number of rows of a full page. */
  size: number
  /** Memoize the columns: rows render again only if they or the row actions change. */
  columns: readonly ListColumn<Row>[]
  /** The sort order in effect, if the address contains an unknown sort order. */
  sortOrder?: SortOrder
  /** The direction of the first sort by a column. */
  firstOrder?: 'asc' | 'desc'
  /** Content next to the list's name. Without this content, the name is for screen readers only. */
  head?: ReactNode
  toolbar?: ToolbarOptions<Row, View>
  /** Content above the rows, also while there are no rows. */
  notices?: ReactNode
  rows: RowsOptions<Row>
  /** Shown if there are no rows although nothing is searched or filtered. */
  empty: ReactNode
  /** Shown if nothing matches the search and the filters, instead of a text with a button that clears them. */
  noMatch?: ReactNode
  /** Says what is still missing; with it, nothing matches only so far. */
  missing?: ReactNode
  foot?: FootOptions
}

/** A complete list: a table on wide screens and tablets, cards on phones and where the list asks for cards. */
export function List<Row, View extends ListView>(props: ListProps<Row, View>) {
  const { noun, label = `${capitalized(noun)}s`, className = '', query, load, size, columns } = props
  const { page, print } = useAllOnPaper(props.page)
  const {
    sortOrder = query.values,
    firstOrder = 'asc',
    head,
    toolbar,
    notices,
    rows,
    empty,
    missing,
    foot = {}
  } = props
  const { sort, order } = sortOrder
  const tablet = useTablet()
  const isPhone = useLayout() === 'mobile' && !tablet
  const choice = useColumnChoice(`${noun.replaceAll(' ', '-')}s`, columns, rows.columnChoice ?? {})
  const [density, setDensity] = useDensity()
  const names = filterNames(toolbar)
  const matchesAll = names.every((name) => query.values[name] === query.defaults[name])
  const keyword = toolbar?.search && query.values.q?.trim()
  const noMatch = (
    <NoMatch
      title={`No ${noun}s match ${keyword ? `“${query.values.q}”` : 'these filters'}${missing ? ' so far' : ''}`}
      onClear={() => query.clear(...names)}
    >
      {missing}
    </NoMatch>
  )
  const columnMenu = !isPhone && !rows.asCards && (
    <ColumnMenu chosen={choice.chosen} onChange={choice.change} density={density} onDensity={setDensity} />
  )
  const toPage = (number: number, corrects = false) =>
    query.change(set({ page: String(number + 1) }), corrects)

  // The address may contain a page that no longer exists.
  const lastNumber = page ? page.page.totalPages - 1 : 0
  const isEmptyPage = page?.items.length === 0 && !load.isFetching
  const isPastEnd = isEmptyPage && lastNumber >= 0 && page.page.number > lastNumber
  const showLast = useEffectEvent(() => toPage(lastNumber, true))
  useEffect(() => {
    if (isPastEnd) showLast()
  }, [isPastEnd])

  function changeSort(id: string) {
    const columnOrder = columns.find((column) => column.id === id)?.first ?? firstOrder
    const otherOrder = columnOrder === 'asc' ? 'desc' : 'asc'
    const isSorted = sort === id && order === columnOrder
    query.change(set({ sort: id, order: isSorted ? otherOrder : columnOrder }))
  }

  return (
    <ListFrame
      label={label}
      className={`${density} ${className}`}
      load={load}
      size={size}
      head={head}
      toolbar={
        <ListToolbar
          {...toolbar}
          noun={noun}
          query={query}
          load={load}
          page={page}
          sortOrder={sortOrder}
          asCards={rows.asCards}
          columns={columns}
          columnMenu={columnMenu}
          print={print}
          isPhone={isPhone}
        />
      }
      notices={notices}
      stale={`The ${noun}s below`}
      empty={page?.page.totalElements === 0 && (matchesAll ? empty : (props.noMatch ?? noMatch))}
      foot={
        page && (
          <>
            {foot.selectionBar}
            {foot.note}
            {foot.loadMore === undefined && (
              <Pager label={`Pages of ${noun}s`} page={page.page} onPage={(number) => toPage(number)} />
            )}
          </>
        )
      }
    >
      {page && page.items.length > 0 && (
        <ListRows
          {...rows}
          noun={noun}
          label={label}
          columns={columns}
          shown={choice.shown}
          rows={page.items}
          total={page.page.totalElements}
          busy={load.isFetching}
          sort={sort}
          order={order === 'desc' ? 'desc' : 'asc'}
          onSort={changeSort}
          loadMore={foot.loadMore}
        />
      )}
    </ListFrame>
  )
}

/** The query parameters that decide which rows there are. */
function filterNames<Row, View extends ListView>({
  search,
  filters = []
}: ToolbarOptions<Row, View> = {}): (keyof View & string)[] {
  return [...(search ? ['q'] : []), ...filters.flatMap(({ names }) => names)]
}
