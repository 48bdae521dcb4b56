import { allExports, type SavedExport, type WantedExports } from '../../api/exports.ts'
import { ListExport } from '../../deeds/list-export.tsx'
import type { CsvColumn } from '../../lib/csv.ts'
import { STATUSES } from './statuses.ts'

const COLUMNS: CsvColumn<SavedExport>[] = [
  { header: 'Name', value: ({ exportName }) => exportName },
  { header: 'Customer', value: ({ customerName, customerId }) => customerName ?? customerId },
  { header: 'Status', value: ({ status }) => STATUSES[status]?.label ?? status },
  { header: 'Reason', value: ({ failureReason }) => failureReason },
  { header: 'Points', value: ({ pointCount }) => pointCount },
  { header: 'From', value: ({ startTime }) => startTime },
  { header: 'To', value: ({ endTime }) => endTime },
  { header: 'Time zone', value: ({ timeZone }) => timeZone },
  { header: 'Format', value: ({ format }) => format },
  { header: 'Rows', value: ({ rowCount }) => rowCount },
  { header: 'Bytes', value: ({ sizeBytes }) => sizeBytes },
  { header: 'Requested', value: ({ createdDate }) => createdDate },
  { header: 'Requested by', value: ({ createdBy }) => createdBy },
  { header: 'Expires', value: ({ expiresDate }) => expiresDate }
]

/** The list itself as a file, not what the exports hold. */
export function ExportListFile({ wanted, total }: { wanted: WantedExports; total: number | null }) {
  return (
    <ListExport
      file="exports"
      nouns={['export', 'exports']}
      total={total}
      columns={COLUMNS}
      read={(max, signal) => allExports(wanted, max, signal)}
    />
  )
}
