import { ListExport } from '../../deeds/list-export.tsx'
import { type Report, reportRangeText } from '../../lib/report.ts'

interface ReportExportProps {
  /** What the filters find; null while it is not known. */
  found: readonly Report[] | null
  zone: string
}

/** The list of the reports as a file. */
export function ReportExport({ found, zone }: ReportExportProps) {
  const columns = [
    { header: 'Name', value: ({ reportName }: Report) => reportName },
    { header: 'Customer', value: ({ customerName }: Report) => customerName },
    { header: 'Range', value: (report: Report) => reportRangeText(report, zone) },
    { header: 'Points', value: ({ points }: Report) => points.length },
    { header: 'Devices', value: ({ deviceCount }: Report) => deviceCount },
    { header: 'Created by', value: ({ createdBy }: Report) => createdBy },
    { header: 'Modified', value: ({ modified }: Report) => modified }
  ]
  return (
    <ListExport
      file="reports"
      nouns={['report', 'reports']}
      total={found?.length ?? null}
      columns={columns}
      read={async () => found ?? []}
    />
  )
}
