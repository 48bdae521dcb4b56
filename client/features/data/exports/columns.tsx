import type { Export, ExportStatus } from '#shared/answers/files.ts'
import { count, formatBytes, formatNumber } from '../../../lib/format.ts'
import { formatDay } from '../../../lib/time/time.ts'
import type { Option } from '../../../ui/input/combobox.tsx'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { choicesOf, type Filter, namedOne, oneOf } from '../../../ui/list/filters/filters.tsx'
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
    width: 12,
    cell: (savedExport) => (
      <span className="stacked">
        {savedExport.exportName}
        <small>
          <Days savedExport={savedExport} />
        </small>
      </span>
    ),
    card: { as: 'heading', cell: ({ exportName }) => exportName }
  },
  {
    id: 'customerName',
    header: 'Customer',
    sort: 'customer',
    width: 9,
    value: ({ customerName, customerId }) => customerName ?? customerId,
    card: 'fact'
  },
  {
    id: 'content',
    header: 'Content',
    whole: true,
    table: 'on-demand',
    card: 'more',
    cell: ({ pointCount, format }) => `${count(pointCount, 'point')} · ${format}`
  },
  {
    id: 'status',
    header: 'Status',
    width: 10,
    sort: 'status',
    value: ({ status }) => STATUSES[status]?.label ?? status,
    cell: (savedExport) => (
      <span className="stacked">
        <Status savedExport={savedExport} />
        {savedExport.failureReason && <small className="free-text">{savedExport.failureReason}</small>}
      </span>
    ),
    card: { as: 'fact', cell: (savedExport) => <Status savedExport={savedExport} /> }
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
      <span className="stacked">
        {rowCount === null ? '–' : formatNumber(rowCount)}
        {sizeBytes !== null && <small>{formatBytes(sizeBytes)}</small>}
      </span>
    ),
    card: { as: 'more', header: 'Size', cell: sizeOf }
  },
  fileColumn('Bytes', ({ sizeBytes }) => sizeBytes),
  {
    id: 'createdDate',
    header: 'Requested',
    width: 10,
    whole: true,
    sort: 'requested',
    value: ({ createdDate }) => createdDate,
    cell: ({ createdDate }) => <Timestamp iso={createdDate} />
  },
  { id: 'createdBy', header: 'Requested by', from: 'desktop', width: 8, value: ({ createdBy }) => createdBy },
  {
    id: 'expiresDate',
    header: 'Expires',
    width: 8,
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

function sizeOf({ rowCount, sizeBytes }: Export): string {
  if (rowCount === null || sizeBytes === null) return '–'
  return `${formatNumber(rowCount)} · ${formatBytes(sizeBytes)}`
}

function Status({ savedExport }: { savedExport: Export }) {
  const { label, tone } = STATUSES[savedExport.status] ?? { label: savedExport.status, tone: 'plain' }
  return (
    <span className="line">
      <span className={`badge ${tone}`}>
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

/** @param customers the customers whose exports the person may see; null for all of the organization */
export function exportFilters(
  organizationId: string | null,
  customers: readonly Option[] | null
): Filter<typeof FIRST_VIEW>[] {
  const byCustomer = namedOne<typeof FIRST_VIEW>(
    'customerId',
    'customerName',
    'Customer',
    (chosen, onChoose) => (
      <CustomerChoice organizationId={organizationId} among={customers} chosen={chosen} onChoose={onChoose} />
    )
  )
  return [
    oneOf('status', 'Status', 'Any status', choicesOf(STATUSES)),
    oneOf('owner', 'Requested by', 'By anyone', OWNERS, (chosen) => `Requested ${chosen.toLowerCase()}`),
    ...(customers?.length === 1 ? [] : [byCustomer])
  ]
}
