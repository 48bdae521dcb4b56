import { isUnderWay, type SavedExport } from '../../api/exports.ts'
import { CardList } from '../../components/card-list.tsx'
import { ColumnTable } from '../../components/column-table.tsx'
import type { Column } from '../../components/data-table.tsx'
import type { MenuItem } from '../../components/menu-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { CardActions, RowActions } from '../../components/row-actions.tsx'
import { formatBytes } from '../../lib/bytes.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { formatDay } from '../../lib/time.ts'
import type { OpenDialog } from './export-dialogs.tsx'
import { STATUSES } from './statuses.ts'

interface ExportRowsProps {
  rows: readonly SavedExport[]
  total: number
  busy: boolean
  sort: string
  order: 'asc' | 'desc'
  onSort: (column: string) => void
  mayStart: boolean
  mayDownload: boolean
  onAgain: (one: SavedExport) => void
  onOpen: (dialog: OpenDialog) => void
}

export function ExportRows(props: ExportRowsProps) {
  const { rows, total, busy, sort, order, onSort } = props
  if (useLayout() === 'mobile') {
    return (
      <CardList
        label="Exports"
        level={2}
        rows={rows}
        rowKey={({ id }) => id}
        nameOf={({ exportName }) => exportName}
        heading={({ exportName }) => exportName}
        facts={(one) => [
          { name: 'Customer', value: one.customerName ?? one.customerId },
          { name: 'Status', value: <Status one={one} /> }
        ]}
        more={(one) => [
          { name: 'Content', value: contentOf(one) },
          { name: 'Size', value: sizeOf(one) },
          { name: 'Requested', value: <Requested one={one} /> },
          { name: 'Expires', value: <Expires one={one} /> }
        ]}
        actions={(one) => <CardActions items={actionsOf(one, props)} />}
      />
    )
  }
  const columns: Column<SavedExport>[] = [
    {
      id: 'exportName',
      header: 'Name',
      sortable: true,
      cell: ({ exportName }) => <span className="two-lines">{exportName}</span>
    },
    {
      id: 'customerName',
      header: 'Customer',
      sortable: true,
      cell: ({ customerName, customerId }) => customerName ?? customerId
    },
    {
      id: 'content',
      header: 'Content',
      sortable: false,
      cell: (one) => (
        <span className="stacked">
          {contentOf(one)}
          <span className="muted">{one.timeZone}</span>
        </span>
      )
    },
    { id: 'status', header: 'Status', sortable: true, cell: (one) => <Status one={one} /> },
    { id: 'rowCount', header: 'Rows and size', sortable: true, align: 'end', cell: sizeOf },
    { id: 'createdDate', header: 'Requested', sortable: true, cell: (one) => <Requested one={one} /> },
    { id: 'expiresDate', header: 'Expires', sortable: true, cell: (one) => <Expires one={one} /> },
    {
      id: 'actions',
      header: 'Actions',
      sortable: false,
      silent: true,
      cell: (one) => <RowActions name={one.exportName} items={actionsOf(one, props)} />
    }
  ]
  return (
    <ColumnTable
      list="exports"
      caption="Exports"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      sort={sort}
      order={order}
      onSort={onSort}
      busy={busy}
      status={`${rows.length} of ${formatNumber(total)} exports`}
    />
  )
}

function contentOf({ pointCount, startTime, endTime, format, timeZone }: SavedExport): string {
  return `${count(pointCount, 'point')} · ${formatDay(startTime, timeZone)} to ${formatDay(endTime, timeZone)} · ${format}`
}

function sizeOf({ rowCount, sizeBytes }: SavedExport): string {
  if (rowCount === null || sizeBytes === null) return '–'
  return `${formatNumber(rowCount)} · ${formatBytes(sizeBytes)}`
}

function Status({ one }: { one: SavedExport }) {
  const { label, tone } = STATUSES[one.status] ?? { label: one.status, tone: 'plain' }
  return (
    <span className="stacked">
      <span>
        <span className={`badge ${tone}`}>
          {label}
          {one.status === 'RUNNING' && ` ${one.progress} %`}
        </span>
      </span>
      {one.status === 'RUNNING' && (
        <progress max={100} value={one.progress} aria-label={`Progress of ${one.exportName}`} />
      )}
      {one.status === 'FAILED' && one.failureReason && (
        <span className="field-error">{one.failureReason}</span>
      )}
    </span>
  )
}

function Requested({ one }: { one: SavedExport }) {
  return (
    <span className="stacked">
      <Moment iso={one.createdDate} />
      <span className="muted">{one.createdBy}</span>
    </span>
  )
}

function Expires({ one }: { one: SavedExport }) {
  if (one.status !== 'READY') return <span className="muted">–</span>
  return <Moment iso={one.expiresDate} as="ago" />
}

function actionsOf(
  one: SavedExport,
  { mayStart, mayDownload, onAgain, onOpen }: ExportRowsProps
): MenuItem[] {
  const items: MenuItem[] = []
  if (mayDownload) {
    items.push({
      label: 'Download',
      disabledReason: one.status === 'READY' ? null : downloadRefusal(one),
      onSelect: () => onOpen({ kind: 'download', one })
    })
  }
  if (mayStart) {
    items.push({ label: 'Run again', onSelect: () => onAgain(one) })
    if (isUnderWay(one)) items.push({ label: 'Stop', onSelect: () => onOpen({ kind: 'stop', one }) })
    items.push({ label: 'Delete', tone: 'danger', onSelect: () => onOpen({ kind: 'delete', one }) })
  }
  return items
}

function downloadRefusal(one: SavedExport): string {
  if (isUnderWay(one)) return 'It is still being made'
  return one.status === 'EXPIRED' ? 'The file is no longer kept. Run it again' : 'There is no file'
}
