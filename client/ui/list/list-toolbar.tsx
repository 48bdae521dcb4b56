import type { ReactNode } from 'react'
import type { Page } from '#shared/entities.ts'
import type { ListDefaults, ListQuery } from '../../lib/use-list-query.ts'
import { SearchField } from '../input/search-field.tsx'
import { type ListColumn, sortsOf } from './columns/column.ts'
import { Filters } from './filters/filter-sheet.tsx'
import { type Filter, set } from './filters/filters.tsx'
import { ListExport, type ListFile } from './list-export.tsx'
import type { ListLoad } from './list-frame.tsx'
import { RefreshButton } from './refresh-button.tsx'

export interface ToolbarOptions<Row, View extends ListDefaults> {
  /** The label of the search field. The keyword is `q` in the address. */
  search?: string
  filters?: readonly Filter<View>[]
  /** Whether there is a button that loads the list again. */
  refreshes?: boolean
  file?: ListFile<Row>
  /** Replaces the fields and buttons above. */
  content?: ReactNode
  /** Replaces the chips of the active filters. */
  chips?: ReactNode
}

interface ListToolbarProps<Row, View extends ListDefaults> extends ToolbarOptions<Row, View> {
  noun: string
  query: ListQuery<View>
  load: ListLoad
  page: Page<Row> | undefined
  columns: readonly ListColumn<Row>[]
}

/** The controls above the rows: search, filters, refresh and export. */
export function ListToolbar<Row, View extends ListDefaults>(props: ListToolbarProps<Row, View>) {
  const { search, filters, refreshes, file, content, noun, query, load, page, columns } = props
  if (content !== undefined) return content
  return (
    <>
      {search && (
        <SearchField label={search} value={query.values.q ?? ''} onSearch={(q) => query.change(set({ q }))} />
      )}
      {filters && <Filters query={query} filters={filters} sorts={sortsOf(columns)} />}
      <div className="row toolbar-end">
        {refreshes && <RefreshButton busy={load.busy} onRefresh={load.reload} />}
        {file && (
          <ListExport {...file} noun={noun} columns={columns} total={page?.page.totalElements ?? null} />
        )}
      </div>
    </>
  )
}
