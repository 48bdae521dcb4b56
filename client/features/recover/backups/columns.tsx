import Lock from 'lucide-react/icons/lock'
import type { Backup } from '#shared/answers/files.ts'
import { formatBytes } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { unbroken } from '../../../ui/unbroken.tsx'

export function backupColumns(customerPath: string): ListColumn<Backup>[] {
  return [
    {
      id: 'backupDate',
      header: 'Taken',
      width: 10,
      whole: true,
      sort: 'taken',
      value: ({ backupDate }) => backupDate,
      cell: ({ backupDate }) => <Timestamp iso={backupDate} />,
      card: 'heading'
    },
    {
      id: 'deviceName',
      header: 'Device',
      width: 9,
      sort: 'device',
      value: ({ deviceName }) => deviceName,
      cell: ({ deviceName, deviceUuid }) => (
        <PrefetchLink to={paths.device(customerPath, deviceUuid)}>{unbroken(deviceName)}</PrefetchLink>
      ),
      card: { as: 'fact', cell: ({ deviceName }) => deviceName }
    },
    fileColumn('Station', ({ stationName }) => stationName),
    {
      id: 'hostId',
      header: 'Host ID',
      table: 'on-demand',
      card: 'more',
      value: ({ hostId }) => hostId,
      cell: ({ hostId }) => <span className="mono">{hostId}</span>
    },
    fileColumn('Kind', ({ trigger }) => trigger),
    fileColumn('Status', ({ status }) => status),
    fileColumn('Bytes', ({ sizeBytes }) => sizeBytes),
    {
      id: 'trigger',
      header: 'Kind',
      width: 6.5,
      whole: true,
      from: 'desktop',
      sort: 'kind',
      cell: kindOf,
      card: { as: 'more', cell: kindOf }
    },
    {
      id: 'niagaraVersion',
      header: 'Version',
      whole: true,
      table: 'on-demand',
      card: 'more',
      sort: 'Niagara version',
      csv: 'Niagara version',
      value: ({ niagaraVersion }) => niagaraVersion
    },
    {
      id: 'sizeBytes',
      header: 'Size',
      width: 6,
      whole: true,
      from: 'laptop',
      sort: 'size',
      align: 'end',
      cell: sizeOf
    },
    {
      id: 'status',
      header: 'Status',
      width: 6.5,
      whole: true,
      sort: 'status',
      // Complete is the normal case.
      cell: (backup) => (backup.status === 'COMPLETE' ? null : <Status backup={backup} />),
      card: {
        as: 'fact',
        cell: (backup) =>
          backup.status === 'COMPLETE' && !backup.retained ? null : (
            <span className="row">
              {backup.status !== 'COMPLETE' && <Status backup={backup} />} {backup.retained && <Locked />}
            </span>
          )
      }
    },
    ...noteColumns
  ]
}

export function backupTitle({ deviceName, backupDate }: Backup): string {
  return `backup of ${deviceName}, ${formatMoment(backupDate)}`
}

const STATUSES = {
  COMPLETE: { label: 'Complete', tone: 'ok' },
  RUNNING: { label: 'Running', tone: 'info' },
  FAILED: { label: 'Failed', tone: 'danger' }
} as const

function Status({ backup: { status } }: { backup: Backup }) {
  const { label, tone } = STATUSES[status] ?? { label: status, tone: 'plain' }
  return <span className={`badge ${tone}`}>{label}</span>
}

function Locked() {
  return (
    <span className="line">
      <Lock /> Locked
    </span>
  )
}

function lockedText({ retained }: Backup): string {
  return retained ? 'Yes' : 'No'
}

function kindOf({ trigger }: Backup): string {
  return trigger === 'MANUAL' ? 'Manual' : 'Scheduled'
}

function sizeOf({ sizeBytes }: Backup): string {
  return sizeBytes === null ? '–' : formatBytes(sizeBytes)
}

const noteColumns: ListColumn<Backup>[] = [
  fileColumn('Locked', lockedText),
  {
    id: 'notes',
    header: 'Notes',
    width: 10,
    from: 'laptop',
    csv: 'Note',
    value: ({ notes }) => notes,
    cell: ({ notes }) => notes && <span className="free-text">{notes}</span>,
    card: { as: 'more', cell: ({ notes }) => notes || null }
  },
  {
    id: 'retained',
    header: 'Locked',
    width: 6.5,
    whole: true,
    sort: 'locked',
    cell: ({ retained }) => retained && <Locked />,
    card: { as: 'more', cell: lockedText }
  },
  fileColumn('Checksum', ({ checksum }) => checksum)
]
