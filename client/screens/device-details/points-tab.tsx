import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { failureOf } from '../../api/api-error.ts'
import { SIFTED_POINTS_MAX, useFilteredPoints } from '../../api/filtered-points.ts'
import { useLiveValues } from '../../api/live-values.ts'
import { POINT_PAGE_SIZE } from '../../api/points.ts'
import { ColumnTable } from '../../components/column-table.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { formatNumber } from '../../lib/format.ts'
import { FIRST_HISTORY, writeHistoryView } from '../../lib/history-view.ts'
import { useLayout } from '../../lib/layout.ts'
import { isFiltered, readPointFilter } from '../../lib/point-filter.ts'
import { comparisonNamed, type SearchType, searchTypeNamed } from '../../lib/point-search.ts'
import { trayRefusal } from '../../lib/point-tray.ts'
import { notChartable, type Point } from '../../lib/points.ts'
import { formatMoment } from '../../lib/time.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import type { CustomerArea } from '../../session/use-customer-area.ts'
import { listOf, useListQuery } from '../../session/use-list-query.ts'
import { usePointTray } from '../../session/use-point-tray.ts'
import { ChartTray } from './chart-tray.tsx'
import { ClearDialog } from './clear-dialog.tsx'
import { NoPoints } from './no-points.tsx'
import { PointCards } from './point-cards.tsx'
import { columnsOf, type PointRows } from './point-columns.tsx'
import { POINTS_VIEW, PointsToolbar } from './points-toolbar.tsx'
import { TableSkeleton } from './table-skeleton.tsx'
import { WriteDialog } from './write-dialog.tsx'

const SORT_NAMES: Record<string, string> = { displayName: 'point', 'tags.dataType': 'type' }

export function PointsTab({ area, device }: { area: CustomerArea; device: Device }) {
  const { customerId } = area
  const layout = useLayout()
  const { flags } = useSession()
  const navigate = useNavigate()
  const { values, change, clear } = useListQuery(POINTS_VIEW)
  const { tray, points: gathered } = usePointTray(customerId)
  const [dialog, setDialog] = useState<{ kind: 'write' | 'clear'; point: Point } | null>(null)
  const comparison = comparisonNamed(values.how) ?? 'CONTAINS'
  const sort = values.sort in SORT_NAMES ? values.sort : 'displayName'
  const order = values.order === 'desc' ? 'desc' : 'asc'
  const allowed = area.can('data:query-model')
  const filter = readPointFilter({
    type: listOf(values.type),
    writable: listOf(values.writable),
    status: listOf(values.status)
  })
  const { data, error, busy, reload } = useFilteredPoints(
    customerId,
    allowed
      ? {
          systemGuid: device.systemGuid,
          items: values.q.trim() ? [values.q.trim()] : [],
          // An unknown kind of search is passed on: the API says that it is an error (§7).
          type: values.in as SearchType,
          comparison,
          page: Math.max(Math.trunc(Number(values.page)) || 1, 1) - 1,
          size: POINT_PAGE_SIZE,
          sort,
          order
        }
      : null,
    filter
  )
  const mayRead = area.can('live:read')
  const live = values.live !== '0' && mayRead
  const shown = data?.items ?? []
  const readings = useLiveValues(
    live ? { customerId, deviceId: device.id } : null,
    shown.map(({ cloudId }) => cloudId)
  )
  const refusalOf = (point: Point) =>
    notChartable(point) ??
    (gathered.some(({ cloudId }) => cloudId === point.cloudId) ? null : trayRefusal(gathered.length))
  const rows: PointRows = {
    area,
    device,
    readings: live ? readings : null,
    mayWrite: area.can('live:write'),
    mayChart: area.can('data:query'),
    onHistory:
      flags.enableHistoryCharting && area.can('data:query')
        ? ({ cloudId }) => {
            const view = { ...FIRST_HISTORY, points: [{ deviceUuid: device.deviceUuid, cloudId }] }
            void navigate(`${paths.history(area.customerPath, device.deviceUuid)}&${writeHistoryView(view)}`)
          }
        : null,
    onWrite: (point) => setDialog({ kind: 'write', point }),
    onClear: (point) => setDialog({ kind: 'clear', point }),
    selection: {
      keys: new Set(gathered.map(({ cloudId }) => cloudId)),
      onChange: (keys) => {
        for (const point of shown) {
          const { cloudId, displayName: pointName } = point
          const ref = { deviceUuid: device.deviceUuid, cloudId }
          if (!keys.has(cloudId)) tray.remove(ref)
          else if (refusalOf(point) === null) tray.add({ ...ref, pointName, deviceName: device.deviceName })
        }
      },
      nameOf: ({ displayName }) => displayName,
      refusalOf
    }
  }
  const total = data?.page.totalElements ?? 0

  return (
    <section className="card points" aria-labelledby="points-heading">
      <h2 id="points-heading" className="sr-only">
        Points
      </h2>
      <ProgressBar busy={busy && data !== undefined} />
      <PointsToolbar
        values={values}
        change={change}
        clear={clear}
        filter={filter}
        total={data ? total : null}
        live={mayRead ? live : null}
      />
      {live && readings.error !== undefined && (
        <Notice tone="warn" action={{ label: 'Retry', onAct: readings.refresh }}>
          {failureOf(readings.error).title}. Live values cannot be read now
          {readings.readAtMs !== null && `; shown are those of ${timeOf(readings.readAtMs)}`}.
        </Notice>
      )}
      {data && error !== undefined && (
        <Notice tone="warn" action={{ label: 'Refresh', onAct: reload }}>
          {failureOf(error).title}. The points below may be out of date.
        </Notice>
      )}
      {data && data.unread > 0 && (
        <Notice tone="warn">
          Looked through the first {formatNumber(SIFTED_POINTS_MAX)} points; {formatNumber(data.unread)} were
          not. Search for a name to look at fewer.
        </Notice>
      )}
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
      {total > 0 && layout === 'desktop' && (
        <div className="table-scroll">
          <ColumnTable
            list="points"
            caption={`Points of ${device.deviceName}`}
            columns={columnsOf(rows)}
            rows={shown}
            rowKey={({ cloudId }) => cloudId}
            sort={sort}
            order={order}
            onSort={(column) =>
              change({ sort: column, order: sort === column && order === 'asc' ? 'desc' : 'asc' })
            }
            busy={busy}
            status={`${shown.length} of ${formatNumber(total)} points, sorted by ${SORT_NAMES[sort]} ${order}ending`}
            {...(rows.mayChart ? { selection: rows.selection } : {})}
          />
        </div>
      )}
      {data && total > 0 && (
        <div className="card-foot">
          <Pager
            label="Pages of points"
            page={data.page}
            onPage={(page) => change({ page: String(page + 1) })}
          />
        </div>
      )}
      {rows.mayChart && <ChartTray area={area} device={device} />}
      {dialog?.kind === 'write' && (
        <WriteDialog
          place={{ customerId, deviceId: device.id }}
          deviceName={device.deviceName}
          point={dialog.point}
          live={readings.values.get(dialog.point.cloudId)}
          onClose={() => {
            setDialog(null)
            readings.refresh()
          }}
        />
      )}
      {dialog?.kind === 'clear' && (
        <ClearDialog
          place={{ customerId, deviceId: device.id }}
          deviceName={device.deviceName}
          point={dialog.point}
          onClose={() => {
            setDialog(null)
            readings.refresh()
          }}
        />
      )}
    </section>
  )
}

const timeOf = (ms: number) => formatMoment(new Date(ms).toISOString()).slice(-5)
