import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { paths } from '../../../lib/paths.ts'
import { listOf, useListQuery } from '../../../lib/use-list-query.ts'
import type { Selection } from '../../../ui/list/data-table.tsx'
import type { Customer } from '../../customers/customer.ts'
import { POINT_PAGE_SIZE, type PointQuery } from '../../points/api.ts'
import { FIRST_HISTORY, writeHistoryView } from '../../points/history-address.ts'
import { notChartable, type Point } from '../../points/point.ts'
import { comparisonNamed, type SearchType } from '../../points/point-search.tsx'
import { selectionRefusal, useSelectedPoints } from '../../points/selected-points.ts'
import { useSession } from '../../session/session.ts'
import { useLiveValues } from '../api.ts'
import { useFilteredPoints } from './filtered-points.ts'
import type { PointRows } from './point-columns.tsx'
import { readPointFilter } from './point-filter.ts'
import { POINTS_VIEW } from './points-toolbar.tsx'

/** What the server can sort points by, in words. */
export const SORTS: Record<string, string> = { displayName: 'point', 'tags.dataType': 'type' }

/** The points of a device that the address asks for, their live values, and what can be done with them. */
export function usePointsTab(area: Customer, device: Device) {
  const { flags } = useSession()
  const navigate = useNavigate()
  const view = useListQuery(POINTS_VIEW)
  const { values } = view
  const [dialog, setDialog] = useState<{ kind: 'write' | 'clear'; point: Point } | null>(null)
  const filter = readPointFilter({
    type: listOf(values.type),
    writable: listOf(values.writable),
    status: listOf(values.status)
  })
  const query = queryOf(device, values)
  const found = useFilteredPoints(area.customerId, area.can('data:query-model') ? query : null, filter)
  const shown = found.data?.items ?? []
  const mayRead = area.can('live:read')
  const live = values.live !== '0' && mayRead
  const readings = useLiveValues(
    live ? { customerId: area.customerId, deviceId: device.id } : null,
    shown.map(({ cloudId }) => cloudId)
  )
  const mayChart = area.can('data:query')
  const historyOf = ({ cloudId }: Point) => {
    const history = { ...FIRST_HISTORY, points: [{ deviceUuid: device.deviceUuid, cloudId }] }
    return `${paths.history(area.customerPath, device.deviceUuid)}&${writeHistoryView(history)}`
  }
  const rows: PointRows = {
    area,
    device,
    readings: live ? readings : null,
    mayWrite: area.can('live:write'),
    mayChart,
    onHistory: flags.enableHistoryCharting && mayChart ? (point) => void navigate(historyOf(point)) : null,
    onWrite: (point) => setDialog({ kind: 'write', point }),
    onClear: (point) => setDialog({ kind: 'clear', point }),
    selection: useChartSelection(area.customerId, device, shown)
  }
  return { view, filter, query, found, shown, mayRead, live, readings, rows, dialog, setDialog }
}

export type PointsTabState = ReturnType<typeof usePointsTab>

function queryOf({ systemGuid }: Device, values: typeof POINTS_VIEW): PointQuery {
  return {
    systemGuid,
    items: values.q.trim() ? [values.q.trim()] : [],
    // An unknown kind of search is passed on: the API says that it is an error.
    type: values.in as SearchType,
    comparison: comparisonNamed(values.how) ?? 'CONTAINS',
    page: Math.max(Math.trunc(Number(values.page)) || 1, 1) - 1,
    size: POINT_PAGE_SIZE,
    sort: values.sort in SORTS ? values.sort : 'displayName',
    order: values.order === 'desc' ? 'desc' : 'asc'
  }
}

/** The points that are selected for a chart, of those that show. */
function useChartSelection(customerId: string, device: Device, shown: readonly Point[]): Selection<Point> {
  const { selected, points } = useSelectedPoints(customerId)
  const keys = new Set(points.map(({ cloudId }) => cloudId))
  const refusalOf = (point: Point) =>
    notChartable(point) ?? (keys.has(point.cloudId) ? null : selectionRefusal(points.length))
  return {
    keys,
    refusalOf,
    nameOf: ({ displayName }) => displayName,
    onChange: (next) => {
      for (const point of shown) {
        const { cloudId, displayName: pointName } = point
        const ref = { deviceUuid: device.deviceUuid, cloudId }
        if (!next.has(cloudId)) selected.remove(ref)
        else if (refusalOf(point) === null) selected.add({ ...ref, pointName, deviceName: device.deviceName })
      }
    }
  }
}
