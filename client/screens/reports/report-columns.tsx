import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Column } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { RowActions } from '../../components/row-actions.tsx'
import { count } from '../../lib/format.ts'
import { type Report, reportRangeText } from '../../lib/report.ts'
import { paths } from '../../paths.ts'

export interface ReportDeed {
  kind: 'rename' | 'duplicate' | 'delete'
  report: Report
}

export interface ReportParts {
  /** A global admin's integrator, for the addresses. */
  organizationId: string | undefined
  may: (action: 'reports:create' | 'reports:delete', customerId: string) => boolean
  onDeed: (deed: ReportDeed) => void
  zone: string
}

const addressOf = ({ customerId, reportId }: Report, organizationId: string | undefined) =>
  paths.report(paths.customer(customerId, organizationId), reportId)

export function ReportName({
  report,
  organizationId
}: { report: Report } & Pick<ReportParts, 'organizationId'>) {
  return <PrefetchLink to={addressOf(report, organizationId)}>{report.reportName}</PrefetchLink>
}

export function ReportRange({ report, zone }: { report: Report; zone: string }) {
  return <>{reportRangeText(report, zone)}</>
}

/** How many points on how many devices, and which, where the report says so. */
export function ReportPoints({ report }: { report: Report }) {
  const [open, setOpen] = useState(false)
  const { points, deviceCount } = report
  const words = `${count(points.length, 'point')} on ${count(deviceCount, 'device')}`
  if (points.length === 0) return <>{words}</>
  return (
    <>
      <button
        type="button"
        className="link-button"
        aria-expanded={open}
        aria-label={`${words} of ${report.reportName}`}
        onClick={() => setOpen(!open)}
      >
        {words}
      </button>
      {open && (
        <ul className="report-points">
          {points.map(({ deviceUuid, cloudId, pointName, deviceName }) => (
            <li key={`${deviceUuid} ${cloudId}`}>
              {pointName ?? <span className="mono">{cloudId}</span>}
              {deviceName && `, ${deviceName}`}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function ReportMenu({ report, organizationId, may, onDeed }: { report: Report } & ReportParts) {
  const navigate = useNavigate()
  const { customerId } = report
  return (
    <RowActions
      name={report.reportName}
      items={[
        { label: 'Open', onSelect: () => void navigate(addressOf(report, organizationId)) },
        ...(may('reports:create', customerId)
          ? [
              { label: 'Duplicate', onSelect: () => onDeed({ kind: 'duplicate', report }) },
              { label: 'Rename', onSelect: () => onDeed({ kind: 'rename', report }) }
            ]
          : []),
        ...(may('reports:delete', customerId)
          ? [{ label: 'Delete', tone: 'danger' as const, onSelect: () => onDeed({ kind: 'delete', report }) }]
          : [])
      ]}
    />
  )
}

export function columnsOf(parts: ReportParts): Column<Report>[] {
  const { zone } = parts
  return [
    {
      id: 'reportName',
      header: 'Name',
      sortable: true,
      cell: (report) => <ReportName report={report} organizationId={parts.organizationId} />
    },
    { id: 'customerName', header: 'Customer', sortable: true, cell: ({ customerName }) => customerName },
    { id: 'points', header: 'Points', sortable: false, cell: (report) => <ReportPoints report={report} /> },
    {
      id: 'range',
      header: 'Range',
      sortable: false,
      cell: (report) => <ReportRange report={report} zone={zone} />
    },
    { id: 'createdBy', header: 'Created by', sortable: true, cell: ({ createdBy }) => createdBy },
    { id: 'modified', header: 'Modified', sortable: true, cell: ({ modified }) => <Moment iso={modified} /> },
    {
      id: 'actions',
      header: 'Actions',
      silent: true,
      sortable: false,
      cell: (report) => <ReportMenu report={report} {...parts} />
    }
  ]
}
