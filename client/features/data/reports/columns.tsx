import { useState } from 'react'
import { compareTexts } from '#shared/text-order.ts'
import { CUSTOM_RANGE } from '#shared/time/date-ranges.ts'
import { count } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { listOf } from '../../../lib/use-list-query.ts'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { type Filter, severalOf } from '../../../ui/list/filters/filters.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { type Report, reportRangeText } from './report.ts'

export const reportAddress = ({ customerId, reportId }: Report, organizationId: string | undefined) =>
  paths.report(paths.customer(customerId, organizationId), reportId)

/** The report on paper, compared with the period before. */
export const reportPaperAddress = (report: Report, organizationId: string | undefined) =>
  `${reportAddress(report, organizationId)}&view=paper&compare=1`

export function reportColumns(organizationId: string | undefined, zone: string): ListColumn<Report>[] {
  return [
    {
      id: 'reportName',
      header: 'Name',
      width: 11,
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
      width: 9,
      card: 'fact'
    },
    { id: 'points', header: 'Points', width: 9, cell: (report) => <ReportPoints report={report} /> },
    {
      id: 'range',
      header: 'Range',
      width: 9,
      from: 'laptop',
      value: (report) => reportRangeText(report, zone),
      cell: (report) => <RangeText text={reportRangeText(report, zone)} />,
      card: 'fact'
    },
    fileColumn('Points', ({ points }) => points.length),
    fileColumn('Devices', ({ deviceCount }) => deviceCount),
    {
      id: 'createdBy',
      header: 'Created by',
      width: 8,
      from: 'desktop',
      sort: 'owner',
      value: ({ createdBy }) => createdBy
    },
    {
      id: 'modified',
      header: 'Modified',
      width: 10,
      whole: true,
      sort: 'last change',
      value: ({ modified }) => modified,
      cell: ({ modified }) => <Timestamp iso={modified} />
    }
  ]
}

function RangeText({ text }: { text: string }) {
  const [start, end] = text.split(' – ')
  if (!end) return text
  return (
    <>
      <span className="unbroken">{start} –</span> <span className="unbroken">{end}</span>
    </>
  )
}

function ReportPoints({ report }: { report: Report }) {
  const [open, setOpen] = useState(false)
  const { points, deviceCount } = report
  const summary = `${count(points.length, 'point')} on ${count(deviceCount, 'device')}`
  if (points.length === 0) return <>{summary}</>
  return (
    <>
      <button
        type="button"
        className="link-button"
        aria-expanded={open}
        aria-label={`${summary} of ${report.reportName}`}
        onClick={() => setOpen(!open)}
      >
        {summary}
      </button>
      {open && (
        <ul className="lines hint">
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

/** The default values of the list's query parameters. */
export const REPORTS_VIEW = {
  q: '',
  customer: '',
  owner: '',
  kind: '',
  sort: 'modified',
  order: 'desc',
  page: '1'
}

type View = typeof REPORTS_VIEW

export function reportFilters(customers: readonly { id: string; orgName: string }[]): Filter<View>[] {
  const choices = customers.map(({ id, orgName }) => ({ value: id, label: orgName }))
  return [
    ...(customers.length > 1 ? [severalOf<View>('customer', 'Customer', choices)] : []),
    severalOf('owner', 'Owner', [{ value: 'me', label: 'Me' }]),
    severalOf('kind', 'Range', [
      { value: 'relative', label: 'Relative range' },
      { value: 'fixed', label: 'Fixed range' }
    ])
  ]
}

const SORT_FIELDS = ['reportName', 'customerName', 'createdBy', 'modified'] as const

export function sortedBy(view: View): { sort: (typeof SORT_FIELDS)[number]; order: 'asc' | 'desc' } {
  const sort = SORT_FIELDS.find((field) => field === view.sort) ?? 'modified'
  return { sort, order: view.order === 'asc' ? 'asc' : 'desc' }
}

/** @param me the person's full name, as in `createdBy` */
export function findReports(all: readonly Report[], view: View, me: string): Report[] {
  const keyword = view.q.trim().toLowerCase()
  const customers = listOf(view.customer)
  const kinds = listOf(view.kind)
  const { sort, order } = sortedBy(view)
  const matches = (report: Report) =>
    [
      report.reportName,
      ...report.points.flatMap(({ pointName, deviceName }) => [pointName, deviceName])
    ].some((text) => text?.toLowerCase().includes(keyword))
  const kindOf = ({ filter }: Report) => (filter === CUSTOM_RANGE ? 'fixed' : 'relative')
  const matchingReports = all.filter(
    (report) =>
      matches(report) &&
      (customers.length === 0 || customers.includes(report.customerId)) &&
      (view.owner !== 'me' || report.createdBy === me) &&
      (kinds.length === 0 || kinds.includes(kindOf(report)))
  )
  const sign = order === 'asc' ? 1 : -1
  return matchingReports.sort(
    (a, b) => sign * compareTexts(a[sort] ?? '', b[sort] ?? '') || compareTexts(a.reportName, b.reportName)
  )
}
