import { CardList } from '../../components/card-list.tsx'
import { ColumnTable } from '../../components/column-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { useLayout } from '../../lib/layout.ts'
import type { Report } from '../../lib/report.ts'
import { REPORT_SORTS, type ReportSort } from '../../lib/report-list.ts'
import {
  columnsOf,
  ReportMenu,
  ReportName,
  type ReportParts,
  ReportPoints,
  ReportRange
} from './report-columns.tsx'

interface ReportRowsProps {
  rows: readonly Report[]
  parts: ReportParts
  sort: ReportSort
  order: 'asc' | 'desc'
  busy: boolean
  /** With those of other pages. */
  total: number
  onSort: (column: string) => void
}

export function ReportRows({ rows, parts, sort, order, busy, total, onSort }: ReportRowsProps) {
  const layout = useLayout()
  const rowKey = ({ reportId }: Report) => reportId
  if (layout === 'mobile')
    return (
      <CardList
        label="Reports"
        rows={rows}
        rowKey={rowKey}
        heading={(report) => <ReportName report={report} {...parts} />}
        nameOf={({ reportName }) => reportName}
        facts={(report) => [
          { name: 'Customer', value: report.customerName },
          { name: 'Range', value: <ReportRange report={report} zone={parts.zone} /> }
        ]}
        more={(report) => [
          { name: 'Points', value: <ReportPoints report={report} /> },
          { name: 'Created by', value: report.createdBy },
          { name: 'Modified', value: <Moment iso={report.modified} /> }
        ]}
        actions={(report) => <ReportMenu report={report} {...parts} />}
      />
    )
  return (
    <div className="table-scroll">
      <ColumnTable
        list="reports"
        caption="Saved reports"
        columns={columnsOf(parts)}
        rows={rows}
        rowKey={rowKey}
        sort={sort}
        order={order}
        onSort={onSort}
        busy={busy}
        status={`${rows.length} of ${total} reports, sorted by ${REPORT_SORTS[sort]} ${order}ending`}
      />
    </div>
  )
}
