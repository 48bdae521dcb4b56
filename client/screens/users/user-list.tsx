import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import SearchX from 'lucide-react/icons/search-x'
import Users from 'lucide-react/icons/users'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Page } from '#shared/entities.ts'
import type { NamedCustomer } from '../../api/all-customers.ts'
import { failureOf } from '../../api/api-error.ts'
import type { RoleNumbers } from '../../api/roles.ts'
import type { Load } from '../../api/use-load.ts'
import type { Person, UserQuery } from '../../api/users.ts'
import { ColumnTable } from '../../components/column-table.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { Panel } from '../../components/panel.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import type { ScopeNames } from '../../lib/role-text.ts'
import { toasts } from '../../lib/toasts.ts'
import { useFetchAhead } from '../../lib/use-later.ts'
import { useSession } from '../../session/session.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import type { Place } from './use-places.ts'
import { useUserActions } from './use-user-actions.tsx'
import { userColumns } from './user-columns.tsx'
import { pageOfQuery, USER_FILTERS, USER_SORTS, type UserList as UserListQuery } from './user-query.ts'

const fetchCards = () => import('./user-cards.tsx')
const UserCards = lazy(fetchCards)
const UserFilters = lazy(() => import('./user-filters.tsx'))
const RemoveAccess = lazy(async () => ({ default: (await import('./remove-access.tsx')).RemoveAccess }))
const UserChips = lazy(() => import('./user-chips.tsx'))

interface UserListProps {
  list: UserListQuery
  /** Null for all users of the portal. */
  place: Place | null
  query: UserQuery
  load: Load<Page<Person>>
  numbers: Load<RoleNumbers>
  /** Undefined until they are known. */
  customers: readonly NamedCustomer[] | undefined
  nameOf: ScopeNames
}

/** As much room as the filters take, so that nothing moves when they come. */
const FiltersToCome = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: one is like the other
    <span key={place} className="select" aria-hidden="true" />
  ))

export function UserList({ list, place, query, load, numbers, customers, nameOf }: UserListProps) {
  const { values, change, clear } = list
  const { data, error, busy, reload } = load
  const layout = useLayout()
  const { user: me, nowMs } = useSession()
  const [removing, setRemoving] = useState<Person | null>(null)
  const [exporting, setExporting] = useState(false)
  // On the way while the users are.
  useFetchAhead(fetchCards, layout === 'mobile')
  const actionsFor = useUserActions(place, setRemoving)
  const page = pageOfQuery(values.page)
  const failed = error ?? (data ? undefined : numbers.error)
  const refresh = () => {
    reload()
    if (numbers.error) numbers.reload()
  }

  // An address can ask for a page that is not there any more.
  const lastPage = data && data.page.totalElements > 0 && data.items.length === 0 && !busy
  useEffect(() => {
    if (lastPage) change({ page: String(data.page.totalPages) })
  })

  async function exportCsv() {
    setExporting(true)
    try {
      const { exportUsers } = await import('./export-users.ts')
      await exportUsers(place?.id ?? null, query, nameOf, nowMs())
    } catch {
      toasts.failed('The users could not be exported.', { label: 'Retry', onAct: () => void exportCsv() })
    } finally {
      setExporting(false)
    }
  }

  const narrowed = USER_FILTERS.some((name) => values[name])
  const filtered = narrowed || values.q.trim() !== ''
  const clearAll = () => clear('q', ...USER_FILTERS)
  const shown = { place, meId: me.id, nowMs: nowMs(), nameOf, actionsFor }
  return (
    <section className="card users" aria-label="Users">
      <h2 className="sr-only">Users</h2>
      <ProgressBar busy={busy && data !== undefined} />
      <div className="toolbar">
        <SearchField label="Name or e-mail" value={values.q} onSearch={(q) => change({ q })} />
        <Suspense fallback={<FiltersToCome count={layout === 'mobile' ? 1 : USER_FILTERS.length} />}>
          <UserFilters {...{ list, place, customers }} />
        </Suspense>
        <div className="toolbar-end">
          <button
            type="button"
            className="button icon"
            aria-label="Refresh"
            title="Refresh"
            aria-disabled={busy}
            onClick={refresh}
          >
            <RefreshCw />
          </button>
          <button
            type="button"
            className="button"
            aria-disabled={exporting || !data}
            aria-busy={exporting}
            onClick={() => exporting || void exportCsv()}
          >
            <Download />
            {exporting ? 'Exporting…' : 'Export CSV'}
          </button>
        </div>
      </div>
      {narrowed && (
        <Suspense>
          <UserChips list={list} customers={customers} onClear={clearAll} />
        </Suspense>
      )}
      {failed !== undefined && data && (
        <Notice tone="warn" action={{ label: 'Refresh', onAct: refresh }}>
          {failureOf(failed).title}. The users below may be out of date.
        </Notice>
      )}
      {!data && failed === undefined && <ListSkeleton label="Loading users" />}
      {!data && failed !== undefined && (
        <ErrorPanel failure={failureOf(failed)} busy={busy} onRefresh={refresh} />
      )}
      {data && data.page.totalElements === 0 && filtered && (
        <Panel
          icon={SearchX}
          headingLevel={3}
          title={values.q.trim() ? `No users match “${values.q}”` : 'No users match the filters'}
          actions={
            <button type="button" className="button" onClick={clearAll}>
              Clear filters
            </button>
          }
        />
      )}
      {data && data.page.totalElements === 0 && !filtered && (
        <Panel icon={Users} headingLevel={3} title="No users yet. Add the first user." />
      )}
      {data && data.items.length > 0 && (
        <>
          {layout === 'mobile' ? (
            <Suspense fallback={<ListSkeleton label="Loading users" />}>
              <UserCards shown={shown} people={data.items} />
            </Suspense>
          ) : (
            <ColumnTable
              list="users"
              caption="Users"
              columns={userColumns(shown, data.items)}
              rows={data.items}
              rowKey={({ id }) => id}
              recycles
              sort={query.sort}
              order={query.order as 'asc' | 'desc'}
              onSort={(sort) =>
                change({ sort, order: query.sort === sort && query.order === 'asc' ? 'desc' : 'asc' })
              }
              busy={busy}
              status={`${data.items.length} of ${formatNumber(data.page.totalElements)} users, sorted by ${
                USER_SORTS[query.sort as keyof typeof USER_SORTS]
              } ${query.order === 'asc' ? 'ascending' : 'descending'}`}
            />
          )}
          <div className="card-foot">
            <Pager
              label="Pages of users"
              page={{ ...data.page, number: page }}
              onPage={(number) => change({ page: String(number + 1) })}
            />
          </div>
        </>
      )}
      {removing && place && (
        <Suspense>
          <RemoveAccess person={removing} nameOf={nameOf} onClose={() => setRemoving(null)} />
        </Suspense>
      )}
    </section>
  )
}
