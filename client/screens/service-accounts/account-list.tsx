import Bot from 'lucide-react/icons/bot'
import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import SearchX from 'lucide-react/icons/search-x'
import { useMemo, useState } from 'react'
import { failureOf } from '../../api/api-error.ts'
import { type ServiceAccount, useServiceAccounts } from '../../api/service-accounts.ts'
import { CardList } from '../../components/card-list.tsx'
import { ColumnTable } from '../../components/column-table.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FilterChips } from '../../components/filter-chips.tsx'
import { FilterSheet } from '../../components/filter-sheet.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { Panel } from '../../components/panel.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { csvOf, fileName, saveFile } from '../../lib/csv.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { roleLabel, scopeNames } from '../../lib/role-text.ts'
import { secretExpiry } from '../../lib/secret-expiry.ts'
import { useSession } from '../../session/session.ts'
import { listOf, useListQuery } from '../../session/use-list-query.ts'
import { accountColumns, accountFacts } from './account-columns.tsx'
import { AccountFilters } from './account-filters.tsx'
import {
  ACCOUNT_DEFAULTS,
  ACCOUNT_PAGE_SIZE,
  ACCOUNT_ROLES,
  ACCOUNT_SORTS,
  type AccountSort,
  SECRET_CHOICES,
  viewOf
} from './account-view.ts'
import { useAccountActions } from './use-account-actions.tsx'
import type { AccountsCustomer } from './use-customer.ts'

const SOON = 'expired,soon'

export function AccountList({ customer }: { customer: AccountsCustomer }) {
  const query = useListQuery(ACCOUNT_DEFAULTS)
  const { values, change, clear } = query
  const { nowMs } = useSession()
  const layout = useLayout()
  const { data, error, busy, reload } = useServiceAccounts(customer.id, values.q)
  const [now] = useState(nowMs)
  const { actionsFor, dialog } = useAccountActions(customer)
  const sort: AccountSort = values.sort in ACCOUNT_SORTS ? (values.sort as AccountSort) : 'serviceName'
  const order = values.order === 'desc' ? 'desc' : 'asc'
  const found = useMemo(
    () =>
      viewOf(
        data?.accounts ?? [],
        { secrets: listOf(values.secret), roles: listOf(values.role), sort, order },
        now
      ),
    [data, values.secret, values.role, sort, order, now]
  )
  const ending = useMemo(
    () =>
      (data?.accounts ?? []).filter(({ secretExpires }) =>
        ['soon', 'expired'].includes(secretExpiry(secretExpires, now).state)
      ).length,
    [data, now]
  )
  const totalPages = Math.ceil(found.length / ACCOUNT_PAGE_SIZE)
  const asked = Number(values.page)
  const number = Math.min(Number.isInteger(asked) && asked > 0 ? asked - 1 : 0, Math.max(totalPages - 1, 0))
  const rows = found.slice(number * ACCOUNT_PAGE_SIZE, (number + 1) * ACCOUNT_PAGE_SIZE)
  const nameOf = scopeNames(customer.integratorScope, [customer])
  const shown = { customer, nowMs: now, nameOf, actionsFor }

  const secrets = listOf(values.secret)
  const roles = listOf(values.role)
  const chips = [
    ...secrets.map((one) => ({
      label: `Secret: ${SECRET_CHOICES.find(({ value }) => value === one)?.label ?? one}`,
      onRemove: () => change({ secret: secrets.filter((other) => other !== one).join(',') })
    })),
    ...roles.map((one) => ({
      label: `Role: ${ACCOUNT_ROLES.find(({ role }) => role === one)?.label ?? one}`,
      onRemove: () => change({ role: roles.filter((other) => other !== one).join(',') })
    }))
  ]
  const filtered = chips.length > 0 || values.q.trim() !== ''
  const clearAll = () => clear('q', 'secret', 'role')

  function exportCsv() {
    const text = csvOf<ServiceAccount>(
      [
        { header: 'Name', value: ({ serviceName }) => serviceName },
        { header: 'Description', value: ({ description }) => description },
        {
          header: 'Roles',
          value: ({ roleAssignments }) =>
            roleAssignments.map(({ role, scope }) => `${roleLabel(role)} at ${nameOf(scope)}`).join('; ')
        },
        { header: 'Client ID', value: ({ clientId }) => clientId },
        { header: 'Secret expires', value: ({ secretExpires }) => secretExpires },
        { header: 'Last used', value: ({ lastUsed }) => lastUsed },
        { header: 'Created by', value: ({ createdBy }) => createdBy },
        { header: 'Created', value: ({ created }) => created }
      ],
      found
    )
    saveFile(fileName(['service-accounts', customer.name], 'csv'), text)
  }

  return (
    <section className="card users accounts" aria-label="Service accounts">
      <h2 className="sr-only">Service accounts</h2>
      <ProgressBar busy={busy && data !== undefined} />
      <div className="toolbar">
        <SearchField label="Name or description" value={values.q} onSearch={(q) => change({ q })} />
        <FilterSheet
          query={query}
          count={chips.length}
          defaults={ACCOUNT_DEFAULTS}
          names={['secret', 'role']}
          sorts={ACCOUNT_SORTS}
        >
          {(edited) => <AccountFilters {...edited} />}
        </FilterSheet>
        <div className="toolbar-end">
          <button
            type="button"
            className="button icon"
            aria-label="Refresh"
            title="Refresh"
            aria-disabled={busy}
            onClick={reload}
          >
            <RefreshCw />
          </button>
          <button type="button" className="button" aria-disabled={!data} onClick={() => data && exportCsv()}>
            <Download />
            Export CSV
          </button>
        </div>
      </div>
      <FilterChips chips={chips} onClear={clearAll} />
      {ending > 0 && values.secret !== SOON && (
        <Notice
          tone="warn"
          action={{
            label: 'Show them',
            onAct: () => change({ secret: SOON, sort: 'secretExpires', order: 'asc' })
          }}
        >
          {count(ending, 'secret')} {ending === 1 ? 'has' : 'have'} ended or will end within 30 days.
        </Notice>
      )}
      {data && data.unlisted > 0 && (
        <Notice tone="info">
          {count(data.unlisted, 'further account')} {data.unlisted === 1 ? 'is' : 'are'} not listed. Search
          for them by name.
        </Notice>
      )}
      {error !== undefined && data && (
        <Notice tone="warn" action={{ label: 'Refresh', onAct: reload }}>
          {failureOf(error).title}. The accounts below may be out of date.
        </Notice>
      )}
      {!data && error === undefined && <AccountsSkeleton />}
      {!data && error !== undefined && (
        <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={reload} />
      )}
      {data && found.length === 0 && filtered && (
        <Panel
          icon={SearchX}
          headingLevel={3}
          title={
            values.q.trim()
              ? `No service accounts match “${values.q}”`
              : 'No service accounts match the filters'
          }
          actions={
            <button type="button" className="button" onClick={clearAll}>
              Clear filters
            </button>
          }
        />
      )}
      {data && found.length === 0 && !filtered && (
        <Panel icon={Bot} headingLevel={3} title="No service accounts.">
          <p>Create one to let other software read this customer's data.</p>
        </Panel>
      )}
      {rows.length > 0 && (
        <>
          {layout === 'mobile' ? (
            <CardList label="Service accounts" rows={rows} rowKey={({ id }) => id} {...accountFacts(shown)} />
          ) : (
            <ColumnTable
              list="service-accounts"
              caption="Service accounts"
              columns={accountColumns(shown, rows)}
              rows={rows}
              rowKey={({ id }) => id}
              sort={sort}
              order={order}
              onSort={(by) => change({ sort: by, order: sort === by && order === 'asc' ? 'desc' : 'asc' })}
              busy={false}
              status={`${rows.length} of ${formatNumber(found.length)} service accounts, sorted by ${
                ACCOUNT_SORTS[sort]
              } ${order === 'asc' ? 'ascending' : 'descending'}`}
            />
          )}
          <div className="card-foot">
            <Pager
              label="Pages of service accounts"
              page={{ number, size: ACCOUNT_PAGE_SIZE, totalPages, totalElements: found.length }}
              onPage={(to) => change({ page: String(to + 1) })}
            />
          </div>
        </>
      )}
      {dialog}
    </section>
  )
}

const SKELETONS = ['62%', '48%', '70%', '55%', '66%', '50%', '58%', '64%']

function AccountsSkeleton() {
  return (
    <div className="table-skeleton" role="status">
      <span className="sr-only">Loading service accounts</span>
      {SKELETONS.map((width) => (
        <div key={width}>
          <Skeleton width={width} />
          <Skeleton width="80%" />
          <Skeleton width="50%" />
        </div>
      ))}
    </div>
  )
}
