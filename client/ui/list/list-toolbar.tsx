import type { ReactNode } from 'react'
import type { Page } from '#shared/answers/parts.ts'
import { usePrinting } from '../../lib/browser.ts'
import type { ListDefaults, ListQuery } from '../../lib/use-list-query.ts'
import { SearchField } from '../input/search-field.tsx'
import { type ListColumn, sortChoices } from './columns/column.ts'
import { Filters } from './filters/filter-sheet.tsx'
import { ActiveFilters, type Filter, type SortOrder, set } from './filters/filters.tsx'
import { ListExport, type ListFile } from './list-export.tsx'
import type { ListLoad } from './list-frame.tsx'
import { PrintAll } from './print-all.tsx'
import { RefreshButton } from './refresh-button.tsx'

export interface ToolbarOptions<Row, View extends ListDefaults> {
  /** A choice that comes before the search, as of a project on a tablet. */
  lead?: ReactNode
  /** The label of the search field. The keyword is `q` in the address. */
  search?: string
  /** The filters, the most used first: on a wide screen, the first ones have fields in the toolbar. */
  filters?: readonly Filter<View>[]
  /** How many filters have a field in the toolbar of a wide screen. */
  fieldsMax?: number
  /** The filters whose chips are shown, if they differ from `filters`. */
  chipFilters?: readonly Filter<View>[]
  /** Switches and facts before the buttons at the end. */
  extra?: ReactNode
  file?: ListFile<Row> & { json?: boolean }
  /** Further buttons, after the export. */
  end?: ReactNode
}

interface ListToolbarProps<Row, View extends ListDefaults> extends ToolbarOptions<Row, View> {
  noun: string
  query: ListQuery<View>
  load: ListLoad
  page: Page<Row> | undefined
  /** The sort order in effect. */
  sortOrder: SortOrder
  asCards: boolean | undefined
  columns: readonly ListColumn<Row>[]
  /** The button that chooses the columns; null where the rows are cards. */
  columnMenu: ReactNode
  /** Prints these rows instead of those of the page. */
  print: (rows: readonly Row[]) => void
  /** Whether the search and the buttons share the line of a phone, and nobody prints. */
  isPhone: boolean
}

/** The controls above the rows of every list, in this order: search, filters, refresh, columns and export. */
export function ListToolbar<Row, View extends ListDefaults>(props: ListToolbarProps<Row, View>) {
  const { lead, search, filters = [], fieldsMax, chipFilters = filters, extra, file, end } = props
  const { noun, query, load, page, sortOrder, asCards, columns, columnMenu, print, isPhone } = props
  return (
    <>
      {lead}
      {search && (
        <SearchField
          label={search}
          placeholder={isPhone ? 'Search' : undefined}
          value={query.values.q ?? ''}
          onSearch={(q) => query.change(set({ q }))}
        />
      )}
      <Filters
        query={query}
        filters={filters}
        sorts={sortChoices(columns)}
        sortOrder={sortOrder}
        asCards={asCards}
        fieldsMax={fieldsMax}
      />
      {search && <SearchOnPaper keyword={query.values.q ?? ''} />}
      <ActiveFilters query={query} filters={chipFilters} />
      <div className="row toolbar-end">
        {extra}
        <RefreshButton busy={load.isFetching} onRefresh={load.refetch} />
        {columnMenu}
        {file && (
          <ListExport {...file} noun={noun} columns={columns} total={page?.page.totalElements ?? null} />
        )}
        {!isPhone && file && page && page.page.totalElements > page.items.length && (
          <PrintAll
            // The rows of an earlier search are not printed below a new one.
            key={JSON.stringify([{ ...query.values, page: '' }, sortOrder])}
            noun={noun}
            total={page.page.totalElements}
            read={file.read}
            print={print}
          />
        )}
        {end}
      </div>
    </>
  )
}

/** Names the search on paper, where its field is left out. */
function SearchOnPaper({ keyword }: { keyword: string }) {
  return usePrinting() && keyword.trim() !== '' ? <p className="search-chip">Search: {keyword}</p> : null
}
