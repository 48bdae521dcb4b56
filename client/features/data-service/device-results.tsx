import SearchX from 'lucide-react/icons/search-x'
import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { formatNumber } from '../../lib/format.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
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
import { useDevice } from '../devices/api.ts'
import { offeringProblem } from '../devices/service-links/device-services.ts'
import { usePointPage } from '../points/api.ts'
import { type Point, withUnits } from '../points/point.ts'
import { matchedTag } from '../points/point-search.tsx'
import { SlotPath, WholePath } from '../points/point-value.tsx'
import { usePointSelection } from '../points/selected-points.ts'
import { useSession } from '../session/session.ts'
import type { Search } from './search-form.tsx'

interface DeviceResultsProps {
  area: Customer
  deviceUuid: string
  search: Search
}

export function DeviceResults({ area, deviceUuid, search }: DeviceResultsProps) {
  const { nowMs } = useSession()
  const { data: device, error, reload } = useDevice(area.customerId, deviceUuid)
  const gone = isNotFound(error)
  const inactive = device && offeringProblem(device, 'NDS', nowMs())
  return (
    <section className="results-group" aria-labelledby={`results-${deviceUuid}`}>
      <div className="row card-head">
        <h2 id={`results-${deviceUuid}`}>
          {device ? (
            <PrefetchLink to={paths.device(area.customerPath, deviceUuid)}>{device.deviceName}</PrefetchLink>
          ) : gone ? (
            'No such device'
          ) : (
            'Device'
          )}
        </h2>
      </div>
      {gone && <p className="card-body muted">This customer has no such device.</p>}
      {!device && !gone && error !== undefined && <ErrorPanel error={error} reload={reload} />}
      {inactive && <p className="card-body muted">Data Services is not active on this device. {inactive}.</p>}
      {device && !inactive && <Results area={area} device={device} search={search} />}
      {!device && error === undefined && <Skeleton width="50%" label="Loading device" />}
    </section>
  )
}

type Sort = { sort: string; order: 'asc' | 'desc' }

function Results({ area, device, search }: { area: Customer; device: Device; search: Search }) {
  const { customerId } = area
  const layout = useLayout()
  const [page, setPage] = useState(0)
  const [{ sort, order }, setSort] = useState<Sort>({ sort: 'displayName', order: 'asc' })
  const { systemGuid, deviceName } = device
  const { data, error, busy, reload } = usePointPage(customerId, {
    ...{ systemGuid, ...search, page, sort, order }
  })
  const rows = data?.items ?? []
  const { chosen, refusalOf } = usePointSelection(customerId, device, rows)
  if (!data && error !== undefined) return <ErrorPanel {...{ error, busy, reload }} />
  if (!data) return <Skeleton width="70%" label="Searching" />
  if (data.page.totalElements === 0) return <Panel icon={SearchX} title="No points match" headingLevel={3} />
  const selection: Selection<Point> = {
    ...{ keys: chosen.keys, onChange: chosen.change, refusalOf },
    nameOf: ({ displayName }) => displayName
  }
  const columns = columnsOf(area, device, search)
  const shared = { rows, rowKey: ({ cloudId }: Point) => cloudId }
  return (
    <>
      <ProgressBar busy={busy} />
      {layout === 'mobile' ? (
        <CardList
          {...shared}
          label={`Points of ${deviceName}`}
          columns={columns}
          nameOf={selection.nameOf}
          lead={(point) => <SelectBox {...{ ...shared, row: point, selection }} />}
        />
      ) : (
        <div className="table-scroll">
          <DataTable
            {...{ ...shared, sort, order, busy, selection }}
            caption={`Points of ${deviceName}`}
            columns={columns}
            onSort={(id) => {
              setPage(0)
              setSort({ sort: id, order: sort === id && order === 'asc' ? 'desc' : 'asc' })
            }}
            status={`${rows.length} of ${formatNumber(data.page.totalElements)} points of ${deviceName}, sorted by ${sortsOf(columns)[sort]} ${order}ending`}
          />
        </div>
      )}
      <div className="card-foot">
        <Pager label={`Pages of ${deviceName}`} page={data.page} onPage={setPage} />
      </div>
    </>
  )
}

const orNone = (text: string | null) => text || <span className="muted">–</span>

function columnsOf(area: Customer, { deviceUuid }: Device, search: Search): ListColumn<Point>[] {
  return [
    {
      ...{ id: 'displayName', header: 'Point', sort: 'point', card: 'heading' },
      cell: ({ cloudId, displayName }) => (
        <PrefetchLink to={paths.point(area.customerPath, deviceUuid, cloudId)}>{displayName}</PrefetchLink>
      )
    },
    {
      ...{ id: 'path', header: 'Path', cell: ({ slotPath }) => <SlotPath path={slotPath} /> },
      card: { as: 'more', cell: ({ slotPath }) => (slotPath ? <WholePath path={slotPath} /> : '–') }
    },
    {
      ...{ id: 'matched', header: 'Matched tag' },
      cell: (point) => <TagMatch point={point} search={search} />
    },
    { id: 'tags.dataType', header: 'Type', sort: 'type', width: '7rem', value: ({ kind }) => kind },
    { id: 'unit', header: 'Unit', width: '5rem', cell: ({ units }) => orNone(units) },
    {
      ...{ id: 'value', header: 'Current value', align: 'end', width: '8rem', card: 'fact' },
      value: ({ out, kind, units }) => withUnits(out.value || '–', kind === 'Numeric' ? units : '')
    },
    {
      ...{ id: 'history', header: 'History' },
      cell: ({ historyName }) =>
        historyName ? <SlotPath path={historyName} /> : <span className="muted">None</span>,
      card: { as: 'more', cell: ({ historyName }) => historyName ?? 'None' }
    }
  ]
}

function TagMatch({ point, search: { type, comparison, items } }: { point: Point; search: Search }) {
  const match = matchedTag(point.tags, type, comparison, items)
  if (!match) return orNone(null)
  const name = type === 'tagNames' ? <mark>{match.name}</mark> : match.name
  const value = type === 'tagValues' ? <mark>{match.value}</mark> : match.value
  return (
    <span className="tag-match">
      {name} = {value}
    </span>
  )
}
