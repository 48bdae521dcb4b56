import { formatNumber } from '../../lib/format.ts'
import { useLoads } from '../../lib/loads.ts'
import { countPoints, type PointCounts } from '../points/api.ts'
import { SEARCH_TYPE_NAMES, SEARCH_TYPES, type SearchType } from '../points/point-search.tsx'
import type { Search } from './search-form.tsx'
import type { SearchedDevice } from './use-searched-devices.ts'

const AT_ONCE = 2

interface SearchCountsProps {
  customerId: string
  devices: readonly SearchedDevice[]
  search: Search
  onType: (type: SearchType) => void
}

/** How many points the words find in each place, over all devices; each place can be gone to. */
export function SearchCounts({ customerId, devices, search, onType }: SearchCountsProps) {
  const { items, comparison } = search
  const ready = devices.flatMap(({ device }) => device ?? [])
  const wanted = ready.map(({ systemGuid }) => ({
    key: JSON.stringify([systemGuid, items, comparison]),
    load: (signal: AbortSignal) =>
      countPoints(
        customerId,
        {
          systemGuid,
          items,
          comparison,
          type: 'pointNames',
          page: 0,
          size: 1,
          sort: 'displayName',
          order: 'asc'
        },
        signal
      )
  }))
  const { states } = useLoads<PointCounts>(wanted, AT_ONCE)
  const loads = wanted.map(({ key }) => states.get(key))
  const counts = loads.flatMap((load) => (load?.state === 'ready' ? load.value : []))
  const complete = counts.length === wanted.length && wanted.length > 0
  const failed = loads.some((load) => load?.state === 'failed')
  return (
    <div className="toolbar search-counts">
      {SEARCH_TYPES.map((type) => {
        const sum = counts.reduce((total, one) => total + one[type], 0)
        return (
          <button
            key={type}
            type="button"
            className="button"
            aria-pressed={type === search.type}
            onClick={() => onType(type)}
          >
            {SEARCH_TYPE_NAMES[type]}s
            <span className="tab-count">{complete ? formatNumber(sum) : failed ? 'unknown' : '…'}</span>
          </button>
        )
      })}
    </div>
  )
}
