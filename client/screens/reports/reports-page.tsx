import '../../style/points.css'
import '../../style/reports.css'
import { useMemo, useState } from 'react'
import { mayAnywhere } from '#shared/permissions.ts'
import { failureOf } from '../../api/api-error.ts'
import { REPORT_LISTS, useReportCustomers, useReports } from '../../api/reports.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useZone } from '../../components/moment.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { isGlobalAdmin } from '../../lib/landing.ts'
import { findReports, REPORT_SORTS, type ReportSort } from '../../lib/report-list.ts'
import { useIntegrator } from '../../session/integrator.ts'
import { useSession } from '../../session/session.ts'
import { listOf, useListQuery } from '../../session/use-list-query.ts'
import { useTrail } from '../../session/use-trail.ts'
import { NewReport } from './new-report.tsx'
import { NoMatch, NoReports } from './no-reports.tsx'
import type { ReportDeed } from './report-columns.tsx'
import { ReportDialogs } from './report-dialogs.tsx'
import { ReportExport } from './report-export.tsx'
import { REPORTS_VIEW, ReportFilters } from './report-filters.tsx'
import { ReportRows } from './report-rows.tsx'
import { ReportsSkeleton } from './reports-skeleton.tsx'

const PAGE_SIZE = 15

export default function ReportsPage() {
  const session = useSession()
  const { user, can, customers: held } = session
  const { chosen } = useIntegrator()
  const trail = useTrail()
  const zone = useZone()
  const refresh = useRefresh()
  const { values, change, clear } = useListQuery(REPORTS_VIEW)
  const [deed, setDeed] = useState<ReportDeed | null>(null)
  const globalAdmin = isGlobalAdmin(session)
  const organizationId = globalAdmin ? (chosen?.id ?? null) : user.organizationId
  const listed = useReportCustomers(held.only && !globalAdmin ? null : organizationId)
  const only = globalAdmin ? null : held.only
  const all = useMemo(() => (only ? [only] : listed.data), [only, listed.data])
  const customers = useMemo(() => all?.filter(({ scope }) => can('reports:view', scope)), [all, can])
  const { data, error: failedList, busy, reload } = useReports(customers)
  const error = failedList ?? listed.error
  const scopes = new Map(all?.map(({ id, scope }) => [id, scope]))
  const may = (action: 'reports:create' | 'reports:delete', customerId: string) => {
    const scope = scopes.get(customerId)
    return scope !== undefined && can(action, scope)
  }
  const filter = {
    q: values.q,
    customers: listOf(values.customer),
    owner: values.owner === 'me' ? user.fullName : null,
    kinds: listOf(values.kind)
  }
  const sort = (values.sort in REPORT_SORTS ? values.sort : 'modified') as ReportSort
  const order = values.order === 'asc' ? 'asc' : 'desc'
  const found = findReports(data?.reports ?? [], filter, sort, order)
  const totalPages = Math.max(Math.ceil(found.length / PAGE_SIZE), 1)
  const number = Math.min(Math.max(Math.trunc(Number(values.page)) || 1, 1), totalPages) - 1
  const rows = found.slice(number * PAGE_SIZE, (number + 1) * PAGE_SIZE)
  const creatable = customers?.filter(({ id }) => may('reports:create', id)) ?? []
  // Until the customers are known the button keeps its place.
  const mayCreate = customers ? creatable.length > 0 : mayAnywhere(user.roleAssignments, 'reports:create')
  const partOf = globalAdmin ? chosen?.id : undefined
  const parts = { organizationId: partOf, may, onDeed: setDeed, zone }

  return (
    <>
      <TitleBlock
        title="Saved Reports"
        crumbs={[...trail, { label: 'Saved Reports' }]}
        facts={globalAdmin ? chosen?.orgName : undefined}
        actions={mayCreate && <NewReport customers={customers ? creatable : null} organizationId={partOf} />}
      />
      <section className="card results" aria-labelledby="reports-heading">
        <h2 id="reports-heading" className="sr-only">
          Reports
        </h2>
        <ProgressBar busy={busy && data !== undefined} />
        <ReportFilters
          values={values}
          change={change}
          clear={clear}
          customers={customers ?? []}
          shown={data ? found.length : null}
        >
          <ReportExport found={data ? found : null} zone={zone} />
        </ReportFilters>
        {data && data.missing.length > 0 && (
          <Notice tone="warn" action={{ label: 'Retry', onAct: reload }}>
            The reports of {data.missing.join(', ')} could not be loaded.
          </Notice>
        )}
        {data && error !== undefined && (
          <Notice tone="warn" action={{ label: 'Refresh', onAct: reload }}>
            {failureOf(error).title}. The reports below may be out of date.
          </Notice>
        )}
        {!data && error !== undefined && (
          <ErrorPanel
            failure={failureOf(error)}
            busy={busy || listed.busy}
            onRefresh={() => {
              listed.reload()
              reload()
            }}
          />
        )}
        {!data && error === undefined && <ReportsSkeleton />}
        {data && data.reports.length === 0 && <NoReports creatable={creatable} organizationId={partOf} />}
        {data && data.reports.length > 0 && found.length === 0 && (
          <NoMatch onClear={() => clear('q', 'customer', 'owner', 'kind')} />
        )}
        {rows.length > 0 && (
          <ReportRows
            rows={rows}
            parts={parts}
            sort={sort}
            order={order}
            busy={busy}
            total={found.length}
            onSort={(column) =>
              change({ sort: column, order: sort === column && order === 'asc' ? 'desc' : 'asc' })
            }
          />
        )}
        {rows.length > 0 && (
          <div className="card-foot">
            <Pager
              label="Pages of reports"
              page={{ number, size: PAGE_SIZE, totalPages, totalElements: found.length }}
              onPage={(page) => change({ page: String(page + 1) })}
            />
          </div>
        )}
      </section>
      {deed && (
        <ReportDialogs
          deed={deed}
          names={data?.reports.map(({ reportName }) => reportName) ?? []}
          onDone={() => setDeed(null)}
          onChanged={() => refresh(REPORT_LISTS)}
        />
      )}
    </>
  )
}
