import { useState } from 'react'
import { count } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { fileColumn, type ListColumn } from '../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { type Report, reportRangeText } from './report.ts'

export const reportAddress = ({ customerId, reportId }: Report, organizationId: string | undefined) =>
  paths.report(paths.customer(customerId, organizationId), reportId)

/** @param organizationId a global admin's integrator, for the addresses */
export function reportColumns(organizationId: string | undefined, zone: string): ListColumn<Report>[] {
  return [
    {
      id: 'reportName',
      header: 'Name',
      width: '18%',
      sort: 'name',
      value: ({ reportName }) => reportName,
      cell: (report) => (
        <PrefetchLink to={reportAddress(report, organizationId)}>{report.reportName}</PrefetchLink>
      ),
      card: 'heading'
    },
    {
      id: 'customerName',
      header: 'Customer',
      sort: 'customer',
      value: ({ customerName }) => customerName,
      card: 'fact'
    },
    { id: 'points', header: 'Points', width: '12.5rem', cell: (report) => <ReportPoints report={report} /> },
    {
      id: 'range',
      header: 'Range',
      value: (report) => reportRangeText(report, zone),
      cell: (report) => <RangeText text={reportRangeText(report, zone)} />,
      card: 'fact'
    },
    fileColumn('Points', ({ points }) => points.length),
    fileColumn('Devices', ({ deviceCount }) => deviceCount),
    {
      id: 'createdBy',
      header: 'Created by',
      width: '9rem',
      sort: 'owner',
      value: ({ createdBy }) => createdBy
    },
    {
      id: 'modified',
      header: 'Modified',
      width: '10rem',
      sort: 'last change',
      value: ({ modified }) => modified,
      cell: ({ modified }) => <Timestamp iso={modified} />
    }
  ]
}

/** The second of two days is not broken over lines. */
function RangeText({ text }: { text: string }) {
  const [first, last] = text.split(' – ')
  return (
    <>
      {first} {last && <span className="unbroken">– {last}</span>}
    </>
  )
}

/** How many points on how many devices, and which, where the report says so. */
function ReportPoints({ report }: { report: Report }) {
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
