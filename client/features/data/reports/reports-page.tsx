import '../points/style.css'
import './style.css'
import FileChartColumn from 'lucide-react/icons/file-chart-column'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { calls } from '#shared/calls.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { mayAnywhere } from '#shared/permissions.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { useZone } from '../../../lib/time/time.ts'
import { useListQuery } from '../../../lib/use-list-query.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import { List } from '../../../ui/list/list.tsx'
import { pageOf } from '../../../ui/list/pager.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useReportCustomers, useReports } from './api.ts'
import {
  findReports,
  REPORTS_VIEW,
  reportAddress,
  reportColumns,
  reportFilters,
  reportPaperAddress,
  sortedBy
} from './columns.tsx'
import { NewReport } from './new-report.tsx'
import type { Report } from './report.ts'
import { type ReportChange, ReportDialogs } from './report-dialog.tsx'

const PAGE_SIZE = 15

export default function ReportsPage() {
  const session = useSession()
  const trail = useTrail()
  const organization = useOrganization()
  const isAdmin = isGlobalAdmin(session)
  // The addresses of a global admin contain the integrator's id.
  const organizationId = isAdmin ? (organization.id ?? undefined) : undefined
  const reports = useVisibleReports(organization.id)
  const { customers, choices } = reports
  // The button is visible while the customers load, so that the page does not shift.
  const mayCreate = customers
    ? choices.length > 0
    : mayAnywhere(session.user.roleAssignments, 'reports:create')
  const button = mayCreate && (
    <NewReport customers={customers ? choices : null} organizationId={organizationId} />
  )
  return (
    <>
      <TitleBlock
        title="Saved Reports"
        crumbs={[...trail, { label: 'Saved Reports' }]}
        facts={isAdmin ? organization.name : undefined}
        actions={button}
      />
      <ReportList reports={reports} organizationId={organizationId} button={button} />
    </>
  )
}

function useVisibleReports(organizationId: string | null) {
  const session = useSession()
  const { can } = session
  const customer = isGlobalAdmin(session) ? null : session.customers.only
  const cardLoad = useReportCustomers(customer ? null : organizationId)
  const cards = useMemo(() => (customer ? [customer] : cardLoad.data), [customer, cardLoad.data])
  const customers = useMemo(() => cards?.filter(({ scope }) => can('reports:view', scope)), [cards, can])
  const list = useReports(customers)
  const may = (action: 'reports:create' | 'reports:delete', customerId: string) => {
    const scope = cards?.find(({ id }) => id === customerId)?.scope
    return scope !== undefined && can(action, scope)
  }
  const load = {
    data: list.data,
    error: list.error ?? cardLoad.error,
    isFetching: list.isFetching || (list.data === undefined && cardLoad.isFetching),
    refetch: () => {
      if (list.data === undefined) cardLoad.refetch()
      list.refetch()
    }
  }
  return { load, customers, may, choices: customers?.filter(({ id }) => may('reports:create', id)) ?? [] }
}

interface ReportListProps {
  reports: ReturnType<typeof useVisibleReports>
  organizationId: string | undefined
  button: ReactNode
}

function ReportList({ reports: { load, customers, may }, organizationId, button }: ReportListProps) {
  const { user } = useSession()
  const zone = useZone()
  const navigate = useNavigate()
  const query = useListQuery(REPORTS_VIEW)
  const [change, setChange] = useState<ReportChange | null>(null)
  const columns = useMemo(() => reportColumns(organizationId, zone), [organizationId, zone])
  const matchingReports = load.data && findReports(load.data.reports, query.values, user.fullName)

  const actions = (report: Report): (MenuItem | false)[] => {
    const mayChange = may('reports:create', report.customerId)
    return [
      { label: 'Open', onSelect: () => void navigate(reportAddress(report, organizationId)) },
      { label: 'Print', onSelect: () => void navigate(reportPaperAddress(report, organizationId)) },
      { label: 'Copy data address', onSelect: () => copyDataAddress(report, zone) },
      mayChange && { label: 'Duplicate', onSelect: () => setChange({ kind: 'duplicate', report }) },
      mayChange && { label: 'Rename', onSelect: () => setChange({ kind: 'rename', report }) },
      may('reports:delete', report.customerId) && {
        label: 'Delete',
        tone: 'danger',
        onSelect: () => setChange({ kind: 'delete', report })
      }
    ]
  }
  return (
    <>
      <List
        noun="report"
        load={load}
        page={matchingReports && pageOf(matchingReports, query.values.page, PAGE_SIZE)}
        size={PAGE_SIZE}
        query={query}
        sortOrder={sortedBy(query.values)}
        columns={columns}
        toolbar={{
          search: 'Report, point or device',
          filters: reportFilters(customers ?? []),
          file: { name: 'reports', read: async () => matchingReports ?? [] }
        }}
        rows={{
          caption: 'Saved reports',
          rowKey: ({ reportId }) => reportId,
          nameOf: ({ reportName }) => reportName,
          actions,
          sheet: true
        }}
        notices={
          load.data &&
          load.data.missing.length > 0 && (
            <Notice tone="warn" action={{ label: 'Retry', onAct: load.refetch }}>
              The reports of {load.data.missing.join(', ')} could not be loaded.
            </Notice>
          )
        }
        empty={
          <Panel icon={FileChartColumn} headingLevel={3} title="No saved reports" actions={button}>
            <p>Chart some points and choose Save as report.</p>
          </Panel>
        }
      />
      {change && (
        <ReportDialogs
          {...change}
          names={load.data?.reports.map(({ reportName }) => reportName) ?? []}
          onClose={() => setChange(null)}
        />
      )}
    </>
  )
}

/** The address of a file with the report's records. Whoever opens it must sign in. */
function copyDataAddress({ customerId, reportId }: Report, zone: string): void {
  const address = new URL(calls.reportData(customerId, reportId, { timeZone: zone }), window.location.href)
  void copyText(address.href).then(
    () => toasts.ok('Data address copied.'),
    () => toasts.failed('The data address could not be copied.')
  )
}
