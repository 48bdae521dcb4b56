import ListTree from 'lucide-react/icons/list-tree'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#shared/answers/customers.ts'
import { formatNumber } from '../../../lib/format.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { useTablet } from '../../../lib/layout.ts'
import { useSession } from '../../../lib/session/session.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import { pageNumber, useListQuery } from '../../../lib/use-list-query.ts'
import { Checkbox } from '../../../ui/input/field.tsx'
import { List } from '../../../ui/list/list.tsx'
import { NoMatch } from '../../../ui/list/list-frame.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { POINT_PAGE_SIZE, type PointQuery } from '../../data/points/api.ts'
import { historyAddress, type PointRef } from '../../data/points/history-address.ts'
import type { Point } from '../../data/points/point.ts'
import { comparisonNamed, type SearchType, searchTypeNamed } from '../../data/points/point-search.tsx'
import { usePointSelection } from '../../data/points/selected-points.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { type LiveValues, useLiveValues } from '../api.ts'
import { ChartSelection } from '../chart-selection.tsx'
import { CommandDialog, type CommandKind } from '../command-dialogs.tsx'
import { pointActions, pointColumns } from './columns.tsx'
import { FIRST_VIEW, isFiltered, POINT_FILTERS } from './filters.tsx'
import { SIFTED_POINTS_MAX, useFilteredPoints } from './use-filtered-points.ts'

export function PointsTab({ device }: { device: Device }) {
  const { customerId, customerPath, can } = useCustomer()
  const { flags } = useSession()
  const navigate = useNavigate()
  const view = useListQuery(FIRST_VIEW)
  const { values, change, clear } = view
  const [command, setCommand] = useState<{ kind: CommandKind; point: Point } | null>(null)
  const { type, writable, status } = values
  const filter = { type, writable, status }
  const query = queryOf(device, values)
  const pageLoad = useFilteredPoints(customerId, can('data:query-model') ? query : null, filter)
  const shownPoints = pageLoad.data?.items ?? []
  const live = can('live:read') ? values.live !== '0' : null
  const deviceIds = { customerId, deviceId: device.id }
  const liveValues = useLiveValues(
    live ? deviceIds : null,
    shownPoints.map(({ cloudId }) => cloudId)
  )
  const mayChart = can('data:query')
  const mayOpenChart = flags.enableHistoryCharting && mayChart
  const selection = usePointSelection(
    customerId,
    shownPoints,
    ({ cloudId }) => cloudId,
    (point) => ({ point, device })
  )
  const columns = pointColumns({
    customerPath,
    device,
    liveValues: live ? liveValues : null,
    tablet: useTablet()
  })
  const openHistory = (points: readonly PointRef[]) =>
    void navigate(historyAddress(customerPath, device.deviceUuid, { points }))
  const actions = {
    mayWrite: can('live:write'),
    liveValues: live ? liveValues : null,
    onHistory: mayOpenChart
      ? ({ cloudId }: Point) => openHistory([{ deviceUuid: device.deviceUuid, cloudId }])
      : null,
    onCommand: setCommand
  }
  return (
    <>
      <List
        noun="point"
        className="points"
        load={{
          ...pageLoad,
          refetch: () => (searchTypeNamed(values.in) ? pageLoad.refetch() : change({ in: FIRST_VIEW.in }))
        }}
        page={pageLoad.data}
        size={POINT_PAGE_SIZE}
        query={view}
        sortOrder={query}
        columns={columns}
        toolbar={{
          search: 'Search points',
          filters: POINT_FILTERS,
          extra: live !== null && (
            <Checkbox
              kind="switch"
              label="Live values"
              checked={live}
              onChange={(on) => change({ live: on ? '1' : '0', page: values.page })}
            />
          )
        }}
        rows={{
          caption: `Points of ${device.deviceName}`,
          rowKey: ({ cloudId }) => cloudId,
          nameOf: ({ displayName }) => displayName,
          actions: (point) => pointActions(point, actions),
          selection: mayChart ? selection : undefined
        }}
        notices={<PointsNotices unread={pageLoad.data?.unread ?? 0} liveValues={live ? liveValues : null} />}
        empty={
          <Panel icon={ListTree} headingLevel={3} title="No points published by this device">
            <p>Points show here once the device publishes them.</p>
          </Panel>
        }
        noMatch={
          <NoMatchingPoints
            keyword={values.q.trim()}
            filtered={isFiltered(filter)}
            onClear={() => clear('q', 'type', 'writable', 'status')}
          />
        }
        foot={{
          selectionBar: mayOpenChart && <ChartSelection customerId={customerId} onChart={openHistory} />
        }}
      />
      {command && (
        <CommandDialog
          {...command}
          deviceIds={deviceIds}
          deviceName={device.deviceName}
          live={liveValues.values.get(command.point.cloudId)}
          onClose={() => {
            setCommand(null)
            liveValues.refresh()
          }}
        />
      )}
    </>
  )
}

function PointsNotices({ unread, liveValues }: { unread: number; liveValues: LiveValues | null }) {
  return (
    <>
      {liveValues && liveValues.error !== undefined && (
        <Notice tone="warn" action={{ label: 'Retry', onAct: liveValues.refresh }}>
          {failureOf(liveValues.error).title}. Live values cannot be read now
          {liveValues.readAtMs !== null && `; the values of ${timeOf(liveValues.readAtMs)} are shown`}.
        </Notice>
      )}
      {unread > 0 && (
        <Notice tone="warn">
          Only the first {formatNumber(SIFTED_POINTS_MAX)} of {formatNumber(SIFTED_POINTS_MAX + unread)}{' '}
          points were filtered. To filter all matching points, first search for a name.
        </Notice>
      )}
    </>
  )
}

interface NoMatchingPointsProps {
  /** Empty if the person did not search. */
  keyword: string
  filtered: boolean
  onClear: () => void
}

function NoMatchingPoints({ keyword, filtered, onClear }: NoMatchingPointsProps) {
  const criteria = [keyword && `“${keyword}”`, filtered && 'these filters'].filter(Boolean).join(' and ')
  return (
    <NoMatch
      title={`No points match ${criteria}`}
      clearLabel={filtered ? 'Clear filters' : 'Clear search'}
      onClear={onClear}
    />
  )
}

const timeOf = (ms: number) => formatMoment(ms).slice(-5)

const SORTS = ['displayName', 'tags.dataType']

function queryOf({ systemGuid }: Device, values: typeof FIRST_VIEW): PointQuery {
  return {
    systemGuid,
    items: values.q.trim() ? [values.q.trim()] : [],
    // The API rejects an unknown search type.
    type: values.in as SearchType,
    comparison: comparisonNamed(values.how),
    page: pageNumber(values.page),
    size: POINT_PAGE_SIZE,
    sort: SORTS.includes(values.sort) ? values.sort : 'displayName',
    order: values.order === 'desc' ? 'desc' : 'asc'
  }
}
