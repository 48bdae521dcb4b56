import '../../style/records.css'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { mayAnywhere } from '#shared/permissions.ts'
import { failureOf } from '../../api/api-error.ts'
import { type SavedExport, useExports } from '../../api/exports.ts'
import { FilterChips } from '../../components/filter-chips.tsx'
import { FilterSheet } from '../../components/filter-sheet.tsx'
import { ListCard } from '../../components/list-card.tsx'
import { Pager } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { count } from '../../lib/format.ts'
import { useSession } from '../../session/session.ts'
import { useListQuery } from '../../session/use-list-query.ts'
import { useOrganization } from '../../session/use-organization.ts'
import { useTrail } from '../../session/use-trail.ts'
import { ExportDialogs, type OpenDialog } from './export-dialogs.tsx'
import { EXPORT_SORTS, ExportFilters, FILTERS, FIRST_VIEW } from './export-filters.tsx'
import { ExportListFile } from './export-list-file.tsx'
import { ExportRows } from './export-rows.tsx'
import { keptDays } from './kept-days.ts'
import { NoExports } from './no-exports.tsx'
import { STATUSES } from './statuses.ts'
import { useWaitedExports } from './use-waited-exports.ts'

const PAGE_SIZE = 15

export default function ExportsPage() {
  const { user } = useSession()
  const organization = useOrganization()
  const query = useListQuery(FIRST_VIEW)
  const { q, status, customerId, customerName, owner, sort, order, page } = query.values
  const wanted = {
    organizationId: organization.id,
    customerId,
    status,
    createdBy: owner === 'me' ? user.fullName : '',
    keyword: q,
    sort,
    order
  }
  const list = useExports(wanted, Math.max(Number(page) - 1, 0) || 0, PAGE_SIZE)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const mayStart = mayAnywhere(user.roleAssignments, 'exports:initiate')
  const trail = useTrail()
  useWaitedExports(list.data?.items)

  const kept = keptDays(list.data?.items ?? [])
  const again = (one: SavedExport) => setDialog({ kind: 'new', like: one })
  const chips = [
    ...(status
      ? [
          {
            label: `Status: ${STATUSES[status as SavedExport['status']]?.label ?? status}`,
            onRemove: () => query.clear('status')
          }
        ]
      : []),
    ...(customerId
      ? [
          {
            label: `Customer: ${customerName || customerId}`,
            onRemove: () => query.clear('customerId', 'customerName')
          }
        ]
      : []),
    ...(owner === 'me' ? [{ label: 'Requested by: Me', onRemove: () => query.clear('owner') }] : [])
  ]
  return (
    <>
      <TitleBlock
        title="Saved Exports"
        crumbs={[...trail, { label: 'Saved Exports' }]}
        facts={organization.name ?? undefined}
        actions={
          mayStart && (
            <button
              type="button"
              className="button primary"
              onClick={() => setDialog({ kind: 'new', like: null })}
            >
              <Plus />
              New export
            </button>
          )
        }
      />
      <ListCard
        label="Exports"
        loaded={list.data !== undefined}
        failure={list.error === undefined ? null : failureOf(list.error)}
        busy={list.busy}
        onReload={list.reload}
        toolbar={
          <>
            <SearchField label="Search name" value={q} onSearch={(text) => query.change({ q: text })} />
            <FilterSheet
              query={query}
              count={chips.length}
              defaults={FIRST_VIEW}
              names={FILTERS}
              sorts={EXPORT_SORTS}
            >
              {(edited) => <ExportFilters organizationId={organization.id} {...edited} />}
            </FilterSheet>
            <div className="toolbar-end">
              <ExportListFile wanted={wanted} total={list.data?.page.totalElements ?? null} />
            </div>
          </>
        }
        chips={<FilterChips chips={chips} onClear={() => query.clear(...FILTERS)} />}
        empty={
          list.data?.page.totalElements === 0 && (
            <NoExports
              filtered={q !== '' || chips.length > 0}
              mayStart={mayStart}
              onStart={() => setDialog({ kind: 'new', like: null })}
              onClear={() => query.clear('q', ...FILTERS)}
            />
          )
        }
        foot={
          list.data && (
            <>
              {kept !== null && <p className="muted">Files are kept for {count(kept, 'day')}.</p>}
              <Pager
                label="Pages of exports"
                page={list.data.page}
                onPage={(number) => query.change({ page: String(number + 1) })}
              />
            </>
          )
        }
      >
        <ExportRows
          rows={list.data?.items ?? []}
          total={list.data?.page.totalElements ?? 0}
          busy={list.busy}
          sort={sort}
          order={order === 'asc' ? 'asc' : 'desc'}
          onSort={(column) =>
            query.change({ sort: column, order: sort === column && order === 'asc' ? 'desc' : 'asc' })
          }
          mayStart={mayStart}
          mayDownload={mayAnywhere(user.roleAssignments, 'exports:download')}
          onAgain={again}
          onOpen={setDialog}
        />
      </ListCard>
      {dialog && (
        <ExportDialogs
          dialog={dialog}
          organizationId={organization.id}
          onClose={() => setDialog(null)}
          onReload={list.reload}
        />
      )}
    </>
  )
}
