import ChartLine from 'lucide-react/icons/chart-line'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { useLayout } from '../../../lib/layout.ts'
import { paths } from '../../../lib/paths.ts'
import { ColumnTable } from '../../../ui/list/column-table.tsx'
import { Pager } from '../../../ui/list/pager.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { ProgressBar } from '../../../ui/state/loading.tsx'
import type { Customer } from '../../customers/customer.ts'
import { FIRST_HISTORY, writeHistoryView } from '../../points/history-address.ts'
import { searchTypeNamed } from '../../points/point-search.tsx'
import { useSelectedPoints } from '../../points/selected-points.ts'
import { SelectedPointsBar } from '../../points/selected-points-bar.tsx'
import { useSession } from '../../session/session.ts'
import { ClearDialog } from '../commands/clear-dialog.tsx'
import { WriteDialog } from '../commands/write-dialog.tsx'
import { PointCards } from './point-cards.tsx'
import { columnsOf } from './point-columns.tsx'
import { isFiltered } from './point-filter.ts'
import { NoPoints, PointsNotices, TableSkeleton } from './points-states.tsx'
import { PointsToolbar } from './points-toolbar.tsx'
import { type PointsTabState, SORTS, usePointsTab } from './use-points-tab.ts'

export function PointsTab({ area, device }: { area: Customer; device: Device }) {
  const layout = useLayout()
  const tab = usePointsTab(area, device)
  const { view, filter, found, shown, rows } = tab
  const { values, change, clear } = view
  const { data, error, busy, reload } = found
  const total = data?.page.totalElements ?? 0

  return (
    <section className="card points" aria-labelledby="points-heading">
      <h2 id="points-heading" className="sr-only">
        Points
      </h2>
      <ProgressBar busy={busy && data !== undefined} />
      <PointsToolbar
        {...view}
        filter={filter}
        total={data ? total : null}
        live={tab.mayRead ? tab.live : null}
      />
      <PointsNotices {...tab} />
      {!data && error !== undefined && (
        <ErrorPanel
          failure={failureOf(error)}
          busy={busy}
          onRefresh={() => (searchTypeNamed(values.in) ? reload() : change({ in: 'pointNames' }))}
        />
      )}
      {!data && error === undefined && <TableSkeleton label="Loading points" />}
      {data && total === 0 && (
        <NoPoints
          keyword={values.q.trim()}
          filtered={isFiltered(filter)}
          onClear={() => clear('q', 'type', 'writable', 'status')}
        />
      )}
      {total > 0 && layout === 'mobile' && <PointCards points={shown} rows={rows} />}
      {total > 0 && layout === 'desktop' && <PointsTable tab={tab} total={total} />}
      {data && total > 0 && (
        <div className="card-foot">
          <Pager
            label="Pages of points"
            page={data.page}
            onPage={(page) => change({ page: String(page + 1) })}
          />
        </div>
      )}
      {rows.mayChart && <ChartSelection area={area} device={device} />}
      <CommandDialog tab={tab} />
    </section>
  )
}

function PointsTable({ tab, total }: { tab: PointsTabState; total: number }) {
  const { rows, shown, found, view, query } = tab
  const { sort, order } = query
  return (
    <div className="table-scroll">
      <ColumnTable
        list="points"
        caption={`Points of ${rows.device.deviceName}`}
        columns={columnsOf(rows)}
        rows={shown}
        rowKey={({ cloudId }) => cloudId}
        sort={sort}
        order={order}
        onSort={(column) =>
          view.change({ sort: column, order: sort === column && order === 'asc' ? 'desc' : 'asc' })
        }
        busy={found.busy}
        status={`${shown.length} of ${formatNumber(total)} points, sorted by ${SORTS[sort]} ${order}ending`}
        {...(rows.mayChart ? { selection: rows.selection } : {})}
      />
    </div>
  )
}

/** The way from chosen points to their chart. */
function ChartSelection({ area, device }: { area: Customer; device: Device }) {
  const { flags } = useSession()
  const { selected, points } = useSelectedPoints(area.customerId)
  const navigate = useNavigate()
  if (points.length === 0 || !flags.enableHistoryCharting) return null
  return (
    <SelectedPointsBar points={points} onRemove={selected.remove} onClear={selected.clear}>
      <button
        type="button"
        className="button primary"
        onClick={() =>
          navigate(
            `${paths.history(area.customerPath, device.deviceUuid)}&${writeHistoryView({ ...FIRST_HISTORY, points })}`
          )
        }
      >
        <ChartLine />
        Add to chart ({points.length}/{CHART_POINTS_MAX})
      </button>
    </SelectedPointsBar>
  )
}

function CommandDialog({ tab: { rows, readings, dialog, setDialog } }: { tab: PointsTabState }) {
  if (!dialog) return null
  const { area, device } = rows
  const common = {
    place: { customerId: area.customerId, deviceId: device.id },
    deviceName: device.deviceName,
    point: dialog.point,
    onClose: () => {
      setDialog(null)
      readings.refresh()
    }
  }
  if (dialog.kind === 'clear') return <ClearDialog {...common} />
  return <WriteDialog {...common} live={readings.values.get(dialog.point.cloudId)} />
}
