import SearchX from 'lucide-react/icons/search-x'
import { useMemo, useState } from 'react'
import { isNotFound } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { pageNumber } from '../../../lib/use-list-query.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { List } from '../../../ui/list/list.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import type { Customer } from '../../sites/customers/customer.tsx'
import { useDevice } from '../../sites/devices/api.ts'
import { offeringProblem } from '../../sites/devices/service-links/device-services.ts'
import { POINT_PAGE_SIZE, usePointPage } from '../points/api.ts'
import { type Point, shownText } from '../points/point.ts'
import { matchedTag } from '../points/point-search.tsx'
import { HISTORY_COLUMN, PATH_COLUMN, pointColumn } from '../points/point-value.tsx'
import { usePointSelection } from '../points/selected-points.ts'
import type { Search } from './search-form.tsx'

interface DeviceResultsProps {
  area: Customer
  deviceUuid: string
  search: Search
}

const FIRST_VIEW = { sort: 'displayName', order: 'asc', page: '1' }

/** The matching points of a device. */
export function DeviceResults({ area, deviceUuid, search }: DeviceResultsProps) {
  const { customerId, customerPath } = area
  const { nowMs } = useSession()
  const { data: device, error, refetch } = useDevice(customerId, deviceUuid)
  const [view, setView] = useState(FIRST_VIEW)
  const problem = device && offeringProblem(device, 'NDS', nowMs())
  const order = view.order === 'desc' ? 'desc' : 'asc'
  const points = usePointPage(
    customerId,
    device && !problem
      ? { systemGuid: device.systemGuid, ...search, page: pageNumber(view.page), sort: view.sort, order }
      : null
  )
  const deviceName = device?.deviceName ?? 'Device'
  const selection = usePointSelection(
    customerId,
    points.data?.items ?? [],
    ({ cloudId }) => cloudId,
    (point) => ({ point, device: { deviceUuid, deviceName } })
  )
  const columns = useMemo(
    () => columnsOf(customerPath, deviceUuid, search),
    [customerPath, deviceUuid, search]
  )
  if (isNotFound(error) || problem)
    return (
      <div className="card">
        <Panel icon={SearchX} title={device?.deviceName ?? 'No such device'}>
          <p>
            {problem
              ? `Data Services is not active on this device. ${problem}.`
              : 'This customer has no such device.'}
          </p>
        </Panel>
      </div>
    )
  return (
    <List
      noun="matching point"
      label={deviceName}
      load={device || error === undefined ? points : { ...points, error, refetch }}
      page={points.data}
      size={POINT_PAGE_SIZE}
      query={{
        values: view,
        defaults: FIRST_VIEW,
        change: (next) => setView({ ...view, page: '1', ...next }),
        clear: () => setView(FIRST_VIEW)
      }}
      columns={columns}
      rows={{
        caption: `Points of ${deviceName}`,
        rowKey: ({ cloudId }) => cloudId,
        nameOf: ({ displayName }) => displayName,
        selection
      }}
      head={<PrefetchLink to={paths.device(customerPath, deviceUuid)}>Open device</PrefetchLink>}
      empty={<Panel icon={SearchX} title="No points match" headingLevel={3} />}
    />
  )
}

const orNone = (text: string | null) => text || <span className="muted">–</span>

function columnsOf(customerPath: string, deviceUuid: string, search: Search): ListColumn<Point>[] {
  return [
    pointColumn(customerPath, deviceUuid),
    { ...PATH_COLUMN, from: 'laptop' },
    {
      id: 'matched',
      header: 'Matched tag',
      width: 9,
      cell: (point) => <TagMatch point={point} search={search} />
    },
    { id: 'tags.dataType', header: 'Type', width: 6, sort: 'type', value: ({ kind }) => kind },
    { id: 'unit', header: 'Unit', width: 5, cell: ({ units }) => orNone(units) },
    {
      id: 'value',
      header: 'Current value',
      align: 'end',
      width: 8,
      whole: true,
      card: 'fact',
      value: (point) => shownText(point)
    },
    HISTORY_COLUMN
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
