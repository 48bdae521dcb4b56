import SearchX from 'lucide-react/icons/search-x'
import { type ReactNode, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { formatNumber } from '../../lib/format.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { useLayout } from '../../lib/layout.ts'
import { paths } from '../../lib/paths.ts'
import { CardList } from '../../ui/list/card-list.tsx'
import { type ListColumn, sortsOf } from '../../ui/list/columns/column.ts'
import { DataTable, SelectBox, type Selection } from '../../ui/list/data-table.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { ProgressBar, Skeleton } from '../../ui/state/loading.tsx'
import { Panel } from '../../ui/state/panel.tsx'
import type { Customer } from '../customers/customer.ts'
import { offeringProblem } from '../devices/service-links/device-services.ts'
import { POINT_PAGE_SIZE, usePointPage } from '../points/api.ts'
import { notChartable, type Point, withUnits } from '../points/point.ts'
import { matchedTag } from '../points/point-search.tsx'
import { SlotPath, WholePath } from '../points/point-value.tsx'
import { selectionRefusal, useSelectedPoints } from '../points/selected-points.ts'
import { useSession } from '../session/session.ts'
import type { Search, SearchedDevice } from './search-form.tsx'

interface DeviceResultsProps {
  area: Customer
  one: SearchedDevice
  search: Search
}

export function DeviceResults({ area, one, search }: DeviceResultsProps) {
  const { nowMs } = useSession()
  const { device, gone, error, retry, deviceUuid } = one
  const name = device?.deviceName ?? (gone ? 'No such device' : 'Device')
  const inactive = device && offeringProblem(device, 'NDS', nowMs())
  return (
    <section className="results-group" aria-labelledby={`results-${deviceUuid}`}>
      <div className="row card-head">
        <h2 id={`results-${deviceUuid}`}>
          {device ? (
            <PrefetchLink to={paths.device(area.customerPath, deviceUuid)}>{name}</PrefetchLink>
          ) : (
            name
          )}
        </h2>
      </div>
      {gone && <p className="card-body muted">This customer has no such device.</p>}
      {error !== undefined && <ErrorPanel failure={failureOf(error)} onRefresh={retry} />}
      {inactive && <p className="card-body muted">Data Services is not active on this device. {inactive}.</p>}
      {device && !inactive && <Results area={area} device={device} search={search} />}
      {!device && !gone && error === undefined && <Skeleton width="50%" label="Loading device" />}
    </section>
  )
}

function Results({ area, device, search }: { area: Customer; device: Device; search: Search }) {
  const { customerId } = area
  const layout = useLayout()
  const { selected, points: gathered } = useSelectedPoints(customerId)
  const [{ page, sort, order }, setView] = useState({
    page: 0,
    sort: 'displayName',
    order: 'asc' as 'asc' | 'desc'
  })
  const { data, error, busy, reload } = usePointPage(customerId, {
    systemGuid: device.systemGuid,
    ...search,
    page,
    size: POINT_PAGE_SIZE,
    sort,
    order
  })
  const rows = data?.items ?? []
  const selection: Selection<Point> = {
    keys: new Set(gathered.map(({ cloudId }) => cloudId)),
    nameOf: ({ displayName }) => displayName,
    refusalOf: (point) =>
      notChartable(point) ??
      (gathered.some(({ cloudId }) => cloudId === point.cloudId) ? null : selectionRefusal(gathered.length)),
    onChange: (keys) => {
      for (const { cloudId, displayName: pointName } of rows) {
        const ref = { deviceUuid: device.deviceUuid, cloudId }
        if (keys.has(cloudId)) selected.add({ ...ref, pointName, deviceName: device.deviceName })
        else selected.remove(ref)
      }
    }
  }
  if (!data && error !== undefined)
    return <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={reload} />
  if (!data) return <Skeleton width="70%" label="Searching" />
  if (data.page.totalElements === 0) return <Panel icon={SearchX} title="No points match" headingLevel={3} />
  const link = (point: Point) => (
    <PrefetchLink to={paths.point(area.customerPath, device.deviceUuid, point.cloudId)}>
      {point.displayName}
    </PrefetchLink>
  )
  const matched = (point: Point) => <TagMatch point={point} search={search} />
  const columns = columnsOf(link, matched)
  return (
    <>
      <ProgressBar busy={busy} />
      {layout === 'mobile' ? (
        <CardList
          label={`Points of ${device.deviceName}`}
          rows={rows}
          rowKey={({ cloudId }) => cloudId}
          heading={link}
          nameOf={({ displayName }) => displayName}
          lead={(row) => <SelectBox {...{ row, rows, selection }} rowKey={({ cloudId }) => cloudId} />}
          facts={(point) => [{ name: 'Value', value: currentOf(point) }]}
          more={(point) => [
            { name: 'Matched', value: matched(point) },
            { name: 'Path', value: point.slotPath ? <WholePath path={point.slotPath} /> : '–' },
            { name: 'Type', value: point.kind },
            { name: 'Unit', value: point.units || '–' },
            { name: 'History', value: point.historyName ?? 'None' }
          ]}
        />
      ) : (
        <div className="table-scroll">
          <DataTable
            caption={`Points of ${device.deviceName}`}
            columns={columns}
            rows={rows}
            rowKey={({ cloudId }) => cloudId}
            sort={sort}
            order={order}
            onSort={(column) =>
              setView({ page: 0, sort: column, order: sort === column && order === 'asc' ? 'desc' : 'asc' })
            }
            busy={busy}
            status={`${rows.length} of ${formatNumber(data.page.totalElements)} points of ${device.deviceName}, sorted by ${sortsOf(columns)[sort]} ${order}ending`}
            selection={selection}
          />
        </div>
      )}
      <div className="card-foot">
        <Pager
          label={`Pages of ${device.deviceName}`}
          page={data.page}
          onPage={(to) => setView({ page: to, sort, order })}
        />
      </div>
    </>
  )
}

const currentOf = ({ out, kind, units }: Point) =>
  withUnits(out.value || '–', kind === 'Numeric' ? units : '')

function columnsOf(
  link: (point: Point) => ReactNode,
  matched: (point: Point) => ReactNode
): ListColumn<Point>[] {
  return [
    { id: 'displayName', header: 'Point', sort: 'point', cell: link },
    { id: 'path', header: 'Path', cell: ({ slotPath }) => <SlotPath path={slotPath} /> },
    { id: 'matched', header: 'Matched tag', cell: matched },
    { id: 'tags.dataType', header: 'Type', sort: 'type', width: '7rem', value: ({ kind }) => kind },
    {
      id: 'unit',
      header: 'Unit',
      width: '5rem',
      cell: ({ units }) => units || <span className="muted">–</span>
    },
    { id: 'value', header: 'Current value', align: 'end', width: '8rem', cell: currentOf },
    {
      id: 'history',
      header: 'History',
      cell: ({ historyName }) =>
        historyName ? <SlotPath path={historyName} /> : <span className="muted">None</span>
    }
  ]
}

function TagMatch({ point, search: { type, comparison, items } }: { point: Point; search: Search }) {
  const match = matchedTag(point.tags, type, comparison, items)
  if (!match) return <span className="muted">–</span>
  const name = type === 'tagNames' ? <mark>{match.name}</mark> : match.name
  const value = type === 'tagValues' ? <mark>{match.value}</mark> : match.value
  return (
    <span className="tag-match">
      {name} = {value}
    </span>
  )
}
