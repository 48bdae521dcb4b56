import { allBackups, type Backup, type BackupFilter, type ListOrder } from '../../api/backups.ts'
import { ListExport } from '../../deeds/list-export.tsx'
import type { CsvColumn } from '../../lib/csv.ts'

const COLUMNS: CsvColumn<Backup>[] = [
  { header: 'Taken', value: ({ backupDate }) => backupDate },
  { header: 'Device', value: ({ deviceName }) => deviceName },
  { header: 'Station', value: ({ stationName }) => stationName },
  { header: 'Host ID', value: ({ hostId }) => hostId },
  { header: 'Kind', value: ({ trigger }) => trigger },
  { header: 'Status', value: ({ status }) => status },
  { header: 'Bytes', value: ({ sizeBytes }) => sizeBytes },
  { header: 'Niagara version', value: ({ niagaraVersion }) => niagaraVersion },
  { header: 'Locked', value: ({ retained }) => (retained ? 'Yes' : 'No') },
  { header: 'Note', value: ({ notes }) => notes },
  { header: 'Checksum', value: ({ checksum }) => checksum }
]

export interface BackupExportProps {
  customerId: string
  filter: BackupFilter
  order: ListOrder
  /** Null while it is not known. */
  total: number | null
}

/** The list of the backups as a file. */
export function BackupExport({ customerId, filter, order, total }: BackupExportProps) {
  return (
    <ListExport
      file="backups"
      nouns={['backup', 'backups']}
      total={total}
      columns={COLUMNS}
      read={(max, signal) => allBackups(customerId, filter, order, max, signal)}
    />
  )
}
