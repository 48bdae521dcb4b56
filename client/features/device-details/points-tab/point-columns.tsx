import type { Device } from '#shared/entities.ts'
import { paths } from '../../../lib/paths.ts'
import { useTick } from '../../../lib/time/ago.ts'
import type { MenuItem } from '../../../ui/input/menu-button.tsx'
import type { Column, Selection } from '../../../ui/list/data-table.tsx'
import { RowActions } from '../../../ui/list/row-actions.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { Customer } from '../../customers/customer.ts'
import { notChartable, type Point } from '../../points/point.ts'
import { PointStatus, PointValue } from '../../points/point-value.tsx'
import { SlotPath } from '../../points/slot-path.tsx'
import { useSession } from '../../session/session.ts'
import type { LiveValues } from '../api.ts'

export interface PointRows {
  area: Customer
  device: Device
  /** Null while live values are switched off. */
  readings: LiveValues | null
  mayWrite: boolean
  mayChart: boolean
  /** Null where there are no histories. */
  onHistory: ((point: Point) => void) | null
  onWrite: (point: Point) => void
  onClear: (point: Point) => void
  selection: Selection<Point>
}

const AGES_MS = 5_000

export function PointLink({ point, rows }: { point: Point; rows: PointRows }) {
  return (
    <PrefetchLink to={paths.point(rows.area.customerPath, rows.device.deviceUuid, point.cloudId)}>
      {point.displayName}
    </PrefetchLink>
  )
}

export function Value({ point, rows: { readings } }: { point: Point; rows: PointRows }) {
  const { nowMs } = useSession()
  useTick(AGES_MS)
  return (
    <PointValue
      point={point}
      live={readings?.values.get(point.cloudId)}
      outdated={readings?.error !== undefined}
      nowMs={nowMs()}
    />
  )
}

export function Status({ point, rows }: { point: Point; rows: PointRows }) {
  return <PointStatus flags={rows.readings?.values.get(point.cloudId)?.flags ?? point.out.flags} />
}

/** What can be done with a point by this person. */
export function Actions({ point, rows }: { point: Point; rows: PointRows }) {
  return <RowActions name={point.displayName} items={actionsOf(point, rows)} />
}

function actionsOf(point: Point, { mayWrite, onHistory, onWrite, onClear }: PointRows): MenuItem[] {
  const notWritable = point.writable ? null : 'This point is not writable'
  return [
    ...(onHistory
      ? [
          {
            label: 'Open history',
            disabledReason: notChartable(point),
            onSelect: () => onHistory(point)
          }
        ]
      : []),
    ...(mayWrite
      ? [
          { label: 'Write', disabledReason: notWritable, onSelect: () => onWrite(point) },
          { label: 'Clear override', disabledReason: notWritable, onSelect: () => onClear(point) }
        ]
      : []),
    {
      label: 'Copy path',
      disabledReason: point.slotPath ? null : 'This point has no path',
      onSelect: () =>
        void navigator.clipboard.writeText(point.slotPath).then(
          () => toasts.ok('Path copied.'),
          () => toasts.failed('The path could not be copied.')
        )
    }
  ]
}

export function columnsOf(rows: PointRows): Column<Point>[] {
  return [
    {
      id: 'displayName',
      header: 'Point',
      sortable: true,
      cell: (point) => (
        <>
          <PointLink point={point} rows={rows} />
          {point.slotPath && (
            <small>
              <SlotPath path={point.slotPath} />
            </small>
          )}
        </>
      )
    },
    {
      id: 'value',
      header: 'Value',
      width: '9rem',
      sortable: false,
      align: 'end',
      cell: (point) => <Value {...{ point, rows }} />
    },
    {
      id: 'status',
      header: 'Status',
      width: '10.5rem',
      sortable: false,
      cell: (point) => <Status {...{ point, rows }} />
    },
    {
      id: 'tags.dataType',
      header: 'Type',
      width: '9.5rem',
      sortable: true,
      cell: ({ kind, writable }) => (writable ? `${kind}, writable` : kind)
    },
    {
      id: 'history',
      header: 'History',
      sortable: false,
      cell: ({ historyName }) =>
        historyName ? <SlotPath path={historyName} /> : <span className="muted">None</span>
    },
    {
      id: 'actions',
      header: 'Actions',
      silent: true,
      sortable: false,
      cell: (point) => <Actions {...{ point, rows }} />
    }
  ]
}
