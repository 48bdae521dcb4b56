import './style.css'
import '../points/style.css'
import '../../../ui/list/list.css'
import SearchIcon from 'lucide-react/icons/search'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { count, formatNumber } from '../../../lib/format.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { useQuery } from '../../../lib/http/query.ts'
import { useSession } from '../../../lib/session/session.ts'
import { recall, remember } from '../../../lib/storage.ts'
import { listOf, useListQuery } from '../../../lib/use-list-query.ts'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { fetchDevice } from '../../sites/devices/api.ts'
import { fetchPoints } from '../points/api.ts'
import { decodedText } from '../points/history-address.ts'
import {
  comparisonNamed,
  SEARCH_TYPE_NAMES,
  SEARCH_TYPES,
  type SearchType,
  searchTypeNamed
} from '../points/point-search.tsx'
import { DeviceResults } from './device-results.tsx'
import { type Search, SearchForm } from './search-form.tsx'
import { SelectedPointsActions } from './selected-points-actions.tsx'
import { UsageCard } from './usage-card.tsx'

const DEFAULTS = { devices: '', terms: '', in: 'pointNames', how: 'CONTAINS', asked: '' }

/** The API, too, refuses an unknown search type. */
const UNKNOWN_TYPE = new ApiError(400)

export default function DataServicePage() {
  const area = useCustomer()
  const { user } = useSession()
  const [query] = useSearchParams()
  const { values, change } = useListQuery(DEFAULTS)
  const storageKey = `portal.device.${user.id}.${area.customerId}`
  // The device in the address, or the device that was viewed last.
  const preset = query.get('deviceUuid') ?? recall<string>(storageKey) ?? ''
  const uuids = listOf(values.devices || preset).filter((uuid) => uuid !== 'none')
  const comparison = comparisonNamed(values.how)
  const terms = useMemo(() => listOf(values.terms).map(decodedText), [values.terms])
  const type = searchTypeNamed(values.in)
  const asked = type !== null && (values.asked === '1' || values.terms !== '')

  const search = { items: terms, type: type ?? 'pointNames', comparison }
  return (
    <>
      <TitleBlock
        title="Data Service"
        crumbs={[...area.trail, { label: 'Data Service' }]}
        facts={area.orgName}
      />
      {area.error !== undefined && <ErrorPanel {...area} />}
      {area.orgName !== undefined && !area.can('data:query-model') && (
        <Panel icon={SearchIcon} title="Your role does not include data services">
          <p>Ask an administrator of {area.orgName} for access.</p>
        </Panel>
      )}
      {area.can('data:query-model') && (
        <>
          <div className="stack data-service">
            <div className="stack data-service-search">
              <SearchForm
                key={`${values.terms} ${values.in} ${values.how}`}
                customerId={area.customerId}
                devices={uuids}
                search={search}
                onDevices={(next) => {
                  const [first] = next
                  if (first) remember(storageKey, first)
                  change({ devices: next.length > 0 ? next.join() : 'none' })
                }}
                onSearch={(next) =>
                  change({
                    devices: uuids.join() || 'none',
                    terms: next.items.map(encodeURIComponent).join(),
                    in: next.type,
                    how: next.comparison,
                    asked: '1'
                  })
                }
              />
              {type === null && (
                <div className="card">
                  <ErrorPanel error={UNKNOWN_TYPE} refetch={() => change({ in: DEFAULTS.in })} />
                </div>
              )}
              {type !== null && !asked && <Idle />}
              {asked && uuids.length === 0 && (
                <div className="card">
                  <Panel icon={SearchIcon} title="Choose a device to search in">
                    <p>Choose up to ten devices above to search their points.</p>
                  </Panel>
                </div>
              )}
            </div>
            {asked && uuids.length > 0 && (
              <section className="stack data-service-results" aria-label="Results">
                <div className="card">
                  <SearchCounts
                    customerId={area.customerId}
                    devices={uuids}
                    search={search}
                    onType={(type) => change({ in: type })}
                  />
                </div>
                {uuids.map((deviceUuid) => (
                  <DeviceResults
                    key={`${deviceUuid} ${JSON.stringify(search)}`}
                    area={area}
                    deviceUuid={deviceUuid}
                    search={search}
                  />
                ))}
              </section>
            )}
            {area.can('data:query') && (
              <div className="data-service-usage">
                <UsageCard area={area} devices={uuids} />
              </div>
            )}
          </div>
          <SelectedPointsActions area={area} />
        </>
      )}
      <p className="sr-only" role="status">
        {asked ? `Searched in ${count(uuids.length, 'device')}` : ''}
      </p>
    </>
  )
}

function Idle() {
  return (
    <div className="card">
      <Panel icon={SearchIcon} title="Find points across devices">
        <p>
          By name, as in <strong>Supply Air Temp</strong>; by tag name, as in <strong>quantity</strong>; by
          tag value, as in <strong>setpoint</strong>. An empty search lists all points.
        </p>
      </Panel>
    </div>
  )
}

/** The number of matching points for each search type, over all devices. Sends three requests per device. */
async function countPoints(
  customerId: string,
  devices: readonly string[],
  { items, comparison }: Search,
  signal: AbortSignal
): Promise<number[]> {
  const sums = SEARCH_TYPES.map(() => 0)
  for (const deviceUuid of devices) {
    const { systemGuid } = await fetchDevice(customerId, deviceUuid, signal)
    const searches = SEARCH_TYPES.map((type) => ({ systemGuid, items, comparison, type, size: 1 }))
    const pages = await Promise.all(searches.map((search) => fetchPoints(customerId, search, signal)))
    for (const [index, { page }] of pages.entries()) sums[index] = Number(sums[index]) + page.totalElements
  }
  return sums
}

interface SearchCountsProps {
  customerId: string
  devices: readonly string[]
  search: Search
  onType: (type: SearchType) => void
}

function SearchCounts({ customerId, devices, search, onType }: SearchCountsProps) {
  const { items, comparison } = search
  const { data, error } = useQuery(
    `point counts ${customerId} ${JSON.stringify([devices, items, comparison])}`,
    (_name, signal) => countPoints(customerId, devices, search, signal)
  )
  return (
    <div className="row toolbar">
      {SEARCH_TYPES.map((type, index) => (
        <button
          key={type}
          type="button"
          className="button"
          aria-pressed={type === search.type}
          onClick={() => onType(type)}
        >
          {SEARCH_TYPE_NAMES[type]}s
          <span className="badge plain">
            {data ? formatNumber(Number(data[index])) : error === undefined ? '…' : 'unknown'}
          </span>
        </button>
      ))}
    </div>
  )
}
