import '../../style/points.css'
import '../../style/reports.css'
import FileChartColumn from 'lucide-react/icons/file-chart-column'
import SearchX from 'lucide-react/icons/search-x'
import { useMemo, useState } from 'react'
import { failureOf } from '../../api/api-error.ts'
import { REPORT_LISTS, useReportCustomers, useReports } from '../../api/reports.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { CardList } from '../../components/card-list.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FilterChips } from '../../components/filter-chips.tsx'
import { FilterMenu } from '../../components/filter-menu.tsx'
import { useZone } from '../../components/moment.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { Panel } from '../../components/panel.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { isGlobalAdmin } from '../../lib/landing.ts'
import { useLayout } from '../../lib/layout.ts'
import { findReports, REPORT_SORTS, type ReportSort } from '../../lib/report-list.ts'
import { useIntegrator } from '../../session/integrator.ts'
import { useSession } from '../../session/session.ts'
import { listOf, useListQuery } from '../../session/use-list-query.ts'
import { useTrail } from '../../session/use-trail.ts'
import { NewReport } from './new-report.tsx'
import {
  columnsOf,
  type ReportDeed,
  ReportMenu,
  ReportName,
  ReportPoints,
  ReportRange
} from './report-columns.tsx'
import { ReportDialogs } from './report-dialogs.tsx'

const PAGE_SIZE = 15
const DEFAULTS = { q: '', customer: '', owner: '', kind: '', sort: 'modified', order: 'desc', page: '1' }
const OWNERS = [{ value: 'me', label: 'Me' }]
const KINDS = [
  { value: 'relative', label: 'Relative range' },
  { value: 'fixed', label: 'Fixed range' }
]

export default function ReportsPage() {
  const session = useSession()
  const { user, can, customers: held } = session
  const { chosen } = useIntegrator()
  const trail = useTrail()
  const layout = useLayout()
  const zone = useZone()
  const refresh = useRefresh()
  const { values, change, clear } = useListQuery(DEFAULTS)
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
  const partOf = globalAdmin ? chosen?.id : undefined
  const parts = { organizationId: partOf, may, onDeed: setDeed, zone }
  const names = new Map(customers?.map(({ id, orgName }) => [id, orgName]))
  const filtered = values.q !== '' || values.customer !== '' || values.owner !== '' || values.kind !== ''

  return (
    <>
      <TitleBlock
        title="Saved Reports"
        crumbs={[...trail, { label: 'Saved Reports' }]}
        facts={globalAdmin ? chosen?.orgName : undefined}
        actions={creatable.length > 0 && <NewReport customers={creatable} organizationId={partOf} />}
      />
      <section className="card results" aria-labelledby="reports-heading">
        <h2 id="reports-heading" className="sr-only">
          Reports
        </h2>
        <ProgressBar busy={busy && data !== undefined} />
        <div className="toolbar">
          <SearchField label="Search name, point, device" value={values.q} onSearch={(q) => change({ q })} />
          {(customers?.length ?? 0) > 1 && (
            <FilterMenu
              label="Customer"
              choices={(customers ?? []).map(({ id, orgName }) => ({ value: id, label: orgName }))}
              chosen={filter.customers}
              onChange={(next) => change({ customer: next.join() })}
            />
          )}
          <FilterMenu
            label="Owner"
            choices={OWNERS}
            chosen={listOf(values.owner)}
            onChange={(next) => change({ owner: next.join() })}
          />
          <FilterMenu
            label="Range"
            choices={KINDS}
            chosen={filter.kinds}
            onChange={(next) => change({ kind: next.join() })}
          />
        </div>
        <FilterChips
          chips={[
            ...filter.customers.map((id) => ({
              label: `Customer: ${names.get(id) ?? id}`,
              onRemove: () => change({ customer: filter.customers.filter((one) => one !== id).join() })
            })),
            ...(filter.owner ? [{ label: 'Owner: Me', onRemove: () => clear('owner') }] : []),
            ...filter.kinds.map((kind) => ({
              label: `Range: ${KINDS.find(({ value }) => value === kind)?.label ?? kind}`,
              onRemove: () => change({ kind: filter.kinds.filter((one) => one !== kind).join() })
            }))
          ]}
          onClear={() => clear('customer', 'owner', 'kind')}
        />
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
        {data && data.reports.length === 0 && <NoReports mayCreate={creatable.length > 0} />}
        {data && data.reports.length > 0 && found.length === 0 && (
          <Panel
            icon={SearchX}
            title="No reports match"
            actions={
              filtered && (
                <button
                  type="button"
                  className="button"
                  onClick={() => clear('q', 'customer', 'owner', 'kind')}
                >
                  Clear filters
                </button>
              )
            }
          />
        )}
        {rows.length > 0 && layout === 'mobile' && (
          <CardList
            label="Reports"
            rows={rows}
            rowKey={({ reportId }) => reportId}
            heading={(report) => <ReportName report={report} {...parts} />}
            nameOf={({ reportName }) => reportName}
            facts={(report) => [
              { name: 'Customer', value: report.customerName },
              { name: 'Range', value: <ReportRange report={report} zone={zone} /> }
            ]}
            more={(report) => [
              { name: 'Points', value: <ReportPoints report={report} /> },
              { name: 'Created by', value: report.createdBy }
            ]}
            actions={(report) => <ReportMenu report={report} {...parts} />}
          />
        )}
        {rows.length > 0 && layout === 'desktop' && (
          <div className="table-scroll">
            <DataTable
              caption="Saved reports"
              columns={columnsOf(parts)}
              rows={rows}
              rowKey={({ reportId }) => reportId}
              sort={sort}
              order={order}
              onSort={(column) =>
                change({ sort: column, order: sort === column && order === 'asc' ? 'desc' : 'asc' })
              }
              busy={busy}
              status={`${rows.length} of ${found.length} reports, sorted by ${REPORT_SORTS[sort]} ${order}ending`}
            />
          </div>
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

function ReportsSkeleton() {
  return (
    <div className="table-skeleton" aria-busy="true">
      <span className="sr-only">Loading reports</span>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <div key={row}>
          {['70%', '45%', '50%', '40%', '60%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ))}
    </div>
  )
}

function NoReports({ mayCreate }: { mayCreate: boolean }) {
  return (
    <Panel icon={FileChartColumn} title="No saved reports">
      <p>
        {mayCreate ? 'Chart some points and choose Save as report.' : 'Reports that others save show here.'}
      </p>
    </Panel>
  )
}
