import type { Export, ExportStatus } from '#shared/answers/files.ts'
import { count, formatBytes, formatNumber } from '../../../lib/format.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { choicesOf, type Filter, namedOne, oneOf } from '../../../ui/list/filters/filters.tsx'
import { ClippedText } from '../../../ui/text/clipped-text.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { CustomerChoice } from '../../sites/customers/customer-choice.tsx'

const STATUSES: Record<ExportStatus, { label: string; tone: string }> = {
  QUEUED: { label: 'Queued', tone: 'plain' },
  RUNNING: { label: 'Running', tone: 'info' },
  READY: { label: 'Ready', tone: 'ok' },
  FAILED: { label: 'Failed', tone: 'danger' },
  CANCELLED: { label: 'Cancelled', tone: 'plain' },
  EXPIRED: { label: 'Expired', tone: 'warn' }
}

export const EXPORT_COLUMNS: ListColumn<Export>[] = [
  {
    id: 'exportName',
    header: 'Name',
    sort: 'name',
    value: ({ exportName }) => exportName,
    cell: ({ exportName }) => <ClippedText text={exportName} />,
    card: 'heading'
  },
  {
    id: 'customerName',
    header: 'Customer',
    sort: 'customer',
    value: ({ customerName, customerId }) => customerName ?? customerId,
    card: 'fact'
  },
  {
    id: 'content',
    header: 'Content',
    whole: true,
    table: 'on-demand',
    card: 'more',
    cell: (savedExport) => (
      <span title={exportHint(savedExport)}>
        {count(savedExport.pointCount, 'point')} · {savedExport.format}
      </span>
    )
  },
  {
    id: 'status',
    header: 'Status',
    min: 8,
    sort: 'status',
    value: ({ status }) => STATUSES[status]?.label ?? status,
    cell: (savedExport) => <Status savedExport={savedExport} />,
    card: 'fact'
  },
  {
    id: 'reason',
    header: 'Reason',
    table: false,
    value: ({ failureReason }) => failureReason,
    cell: ({ failureReason }) => failureReason || null
  },
  fileColumn('Points', ({ pointCount }) => pointCount),
  fileColumn('From', ({ startTime }) => startTime),
  fileColumn('To', ({ endTime }) => endTime),
  {
    id: 'range',
    header: 'Range',
    table: false,
    csv: false,
    cell: (savedExport) => <Days savedExport={savedExport} />
  },
  { id: 'timeZone', header: 'Time zone', table: false, value: ({ timeZone }) => timeZone },
  fileColumn('Format', ({ format }) => format),
  {
    id: 'rowCount',
    header: 'Rows',
    whole: true,
    from: 'desktop',
    sort: 'rows',
    align: 'end',
    value: ({ rowCount }) => rowCount,
    cell: ({ rowCount, sizeBytes }) => (
      <>
        {rowCount === null ? '–' : formatNumber(rowCount)}
        {sizeBytes !== null && <small className="muted"> · {formatBytes(sizeBytes)}</small>}
      </>
    ),
    card: { as: 'more', header: 'Size', cell: sizeOf }
  },
  fileColumn('Bytes', ({ sizeBytes }) => sizeBytes),
  {
    id: 'createdDate',
    header: 'Requested',
    whole: true,
    sort: 'requested',
    value: ({ createdDate }) => createdDate,
    cell: ({ createdDate }) => <Timestamp iso={createdDate} />
  },
  { id: 'createdBy', header: 'Requested by', from: 'desktop', value: ({ createdBy }) => createdBy },
  {
    id: 'expiresDate',
    header: 'Expires',
    whole: true,
    from: 'laptop',
    sort: 'expires',
    value: ({ expiresDate }) => expiresDate,
    cell: ({ status, expiresDate }) =>
      status === 'READY' ? <Timestamp iso={expiresDate} as="ago" /> : <span className="muted">–</span>
  }
]

function Days({ savedExport: { startTime, endTime, timeZone } }: { savedExport: Export }) {
  return (
    <>
      <span className="unbroken">{formatDay(startTime, timeZone)}</span> to{' '}
      <span className="unbroken">{formatDay(endTime, timeZone)}</span>
    </>
  )
}

/** The range and time zone of an export, and why it failed. Its row does not show them. */
export function exportHint({ startTime, endTime, timeZone, failureReason }: Export): string {
  const range = `${formatDay(startTime, timeZone)} to ${formatDay(endTime, timeZone)}, ${timeZone}`
  return failureReason ? `${range}. ${failureReason}` : range
}

function sizeOf({ rowCount, sizeBytes }: Export): string {
  if (rowCount === null || sizeBytes === null) return '–'
  return `${formatNumber(rowCount)} · ${formatBytes(sizeBytes)}`
}

function Status({ savedExport }: { savedExport: Export }) {
  const { label, tone } = STATUSES[savedExport.status] ?? { label: savedExport.status, tone: 'plain' }
  return (
    <span className="line">
      <span className={`badge ${tone}`} title={savedExport.failureReason ?? undefined}>
        {label}
        {savedExport.status === 'RUNNING' && ` ${savedExport.progress} %`}
      </span>
      {savedExport.status === 'RUNNING' && (
        <progress
          max={100}
          value={savedExport.progress}
          aria-label={`Progress of ${savedExport.exportName}`}
        />
      )}
    </span>
  )
}

/** The default values of the list's query parameters. */
export const FIRST_VIEW = {
  q: '',
  status: '',
  customerId: '',
  customerName: '',
  owner: '',
  sort: 'createdDate',
  order: 'desc',
  page: '1'
}

const OWNERS = [{ value: 'me', label: 'By me' }]

export function exportFilters(organizationId: string | null): Filter<typeof FIRST_VIEW>[] {
  return [
    oneOf('status', 'Status', 'Any status', choicesOf(STATUSES)),
    oneOf('owner', 'Requested by', 'By anyone', OWNERS, (chosen) => `Requested ${chosen.toLowerCase()}`),
    namedOne('customerId', 'customerName', 'Customer', (chosen, onChoose) => (
      <CustomerChoice organizationId={organizationId} chosen={chosen} onChoose={onChoose} />
    ))
  ]
}
