import Lock from 'lucide-react/icons/lock'
import type { Backup } from '../../api/backups.ts'
import { CardList } from '../../components/card-list.tsx'
import { ColumnTable } from '../../components/column-table.tsx'
import type { Column, Selection } from '../../components/data-table.tsx'
import { Checkbox } from '../../components/field.tsx'
import type { MenuItem } from '../../components/menu-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { CardActions, RowActions } from '../../components/row-actions.tsx'
import { formatBytes } from '../../lib/bytes.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { formatMoment } from '../../lib/time.ts'
import { paths } from '../../paths.ts'
import type { OpenDialog } from './backup-dialogs.tsx'
import type { BackupQuery } from './backup-filters.tsx'
import type { BackupRights } from './rights.ts'

const STATUSES = {
  COMPLETE: { label: 'Complete', tone: 'ok' },
  RUNNING: { label: 'Running', tone: 'info' },
  FAILED: { label: 'Failed', tone: 'danger' }
} as const

interface BackupRowsProps {
  rows: readonly Backup[]
  total: number
  customerPath: string
  busy: boolean
  query: BackupQuery
  rights: BackupRights
  nowMs: number
  chosen: ReadonlyMap<string, Backup>
  onChosen: (chosen: ReadonlyMap<string, Backup>) => void
  onOpen: (dialog: OpenDialog) => void
}

export function BackupRows(props: BackupRowsProps) {
  const { rows, total, customerPath, busy, query, rights, nowMs, chosen, onChosen, onOpen } = props
  const { sort, order } = query.values
  const mobile = useLayout() === 'mobile'
  const actionsOf = (backup: Backup): MenuItem[] => backupActions(backup, rights, onOpen)
  const selection: Selection<Backup> = {
    keys: new Set(chosen.keys()),
    nameOf,
    refusalOf: ({ retained }) => (retained ? 'locked backups cannot be deleted' : null),
    onChange: (keys) =>
      onChosen(
        new Map(
          [...chosen.values(), ...rows].filter(({ id }) => keys.has(id)).map((backup) => [backup.id, backup])
        )
      )
  }

  if (mobile) {
    return (
      <CardList
        label="Backups"
        level={2}
        rows={rows}
        rowKey={({ id }) => id}
        nameOf={nameOf}
        heading={(backup) => <Moment iso={backup.backupDate} nowMs={nowMs} />}
        lead={(backup) =>
          rights.remove && (
            <Checkbox
              label={<span className="sr-only">Select {nameOf(backup)}</span>}
              checked={chosen.has(backup.id)}
              disabledReason={backup.retained ? 'Locked' : null}
              onChange={(on) => {
                const next = new Map(chosen)
                if (on) next.set(backup.id, backup)
                else next.delete(backup.id)
                onChosen(next)
              }}
            />
          )
        }
        facts={(backup) => [
          { name: 'Device', value: backup.deviceName },
          {
            name: 'Status',
            value: (
              <>
                <Status backup={backup} /> {backup.retained && <Locked />}
              </>
            )
          }
        ]}
        more={(backup) => [
          { name: 'Host ID', value: <span className="mono">{backup.hostId}</span> },
          { name: 'Kind', value: kindOf(backup) },
          { name: 'Version', value: backup.niagaraVersion },
          { name: 'Size', value: sizeOf(backup) },
          { name: 'Locked', value: backup.retained ? 'Yes' : 'No' },
          ...(backup.notes ? [{ name: 'Notes', value: backup.notes }] : [])
        ]}
        actions={(backup) => <CardActions items={actionsOf(backup)} />}
      />
    )
  }

  const columns: Column<Backup>[] = [
    {
      id: 'backupDate',
      header: 'Taken',
      sortable: true,
      cell: ({ backupDate }) => (
        <span className="stacked">
          <Moment iso={backupDate} nowMs={nowMs} />
          <span className="muted">
            <Moment iso={backupDate} as="ago" nowMs={nowMs} />
          </span>
        </span>
      )
    },
    {
      id: 'deviceName',
      header: 'Device',
      sortable: true,
      cell: ({ deviceName, deviceUuid, hostId }) => (
        <span className="stacked">
          <PrefetchLink to={paths.device(customerPath, deviceUuid)}>{deviceName}</PrefetchLink>
          <span className="mono muted clip" title={hostId}>
            {hostId}
          </span>
        </span>
      )
    },
    {
      id: 'trigger',
      header: 'Kind',
      sortable: true,
      cell: (backup) => <span className="badge plain">{kindOf(backup)}</span>
    },
    { id: 'niagaraVersion', header: 'Version', sortable: true, cell: ({ niagaraVersion }) => niagaraVersion },
    { id: 'sizeBytes', header: 'Size', sortable: true, align: 'end', cell: sizeOf },
    { id: 'status', header: 'Status', sortable: true, cell: (backup) => <Status backup={backup} /> },
    {
      id: 'notes',
      header: 'Notes',
      sortable: false,
      cell: ({ notes }) =>
        notes ? (
          <span className="two-lines" title={notes}>
            {notes}
          </span>
        ) : (
          <span className="muted">–</span>
        )
    },
    {
      id: 'retained',
      header: 'Locked',
      sortable: true,
      cell: ({ retained }) => (retained ? <Locked /> : <span className="muted">No</span>)
    },
    {
      id: 'actions',
      header: 'Actions',
      sortable: false,
      silent: true,
      cell: (backup) => <RowActions name={nameOf(backup)} items={actionsOf(backup)} />
    }
  ]
  return (
    <ColumnTable
      list="backups"
      caption="Backups"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      sort={sort}
      order={order === 'asc' ? 'asc' : 'desc'}
      onSort={(column) =>
        query.change({ sort: column, order: sort === column && order === 'asc' ? 'desc' : 'asc' })
      }
      busy={busy}
      status={`${rows.length} of ${formatNumber(total)} backups`}
      {...(rights.remove ? { selection } : {})}
    />
  )
}

function Locked() {
  return (
    <span className="locked">
      <Lock /> Locked
    </span>
  )
}

export function nameOf({ deviceName, backupDate }: Backup): string {
  return `backup of ${deviceName}, ${formatMoment(backupDate)}`
}

function kindOf({ trigger }: Backup): string {
  return trigger === 'MANUAL' ? 'Manual' : 'Scheduled'
}

function sizeOf({ sizeBytes }: Backup): string {
  return sizeBytes === null ? '–' : formatBytes(sizeBytes)
}

function Status({ backup: { status } }: { backup: Backup }) {
  const { label, tone } = STATUSES[status] ?? { label: status, tone: 'plain' }
  return <span className={`badge ${tone}`}>{label}</span>
}

function backupActions(
  backup: Backup,
  rights: BackupRights,
  onOpen: (dialog: OpenDialog) => void
): MenuItem[] {
  const items: MenuItem[] = []
  if (rights.download) {
    items.push({
      label: 'Download',
      disabledReason: backup.status === 'COMPLETE' ? null : 'There is no file yet',
      onSelect: () => onOpen({ kind: 'download', backup })
    })
  }
  if (rights.edit) {
    items.push(
      { label: 'Edit note', onSelect: () => onOpen({ kind: 'note', backup }) },
      {
        label: backup.retained ? 'Unlock' : 'Lock',
        onSelect: () => onOpen({ kind: 'lock', backup, retained: !backup.retained })
      }
    )
  }
  if (rights.remove) {
    items.push({
      label: 'Delete',
      tone: 'danger',
      disabledReason: backup.retained ? 'Unlock it first' : null,
      onSelect: () => onOpen({ kind: 'delete', backups: [backup] })
    })
  }
  return items
}
