import { DEVICE_SORTS, type DeviceSort, type SortOrder } from '#shared/devices.ts'
import { SORT_NAMES } from '../../lib/device-view.ts'
import type { ViewControl } from './use-device-view.ts'

/** The sort of a list that has no column headers. */
export function DeviceSortSelect({ view, change }: ViewControl) {
  return (
    <select
      className="select device-sort"
      aria-label="Sort by"
      value={`${view.sort} ${view.order}`}
      onChange={(event) => {
        const [sort, order] = event.target.value.split(' ') as [DeviceSort, SortOrder]
        change({ sort, order })
      }}
    >
      {DEVICE_SORTS.flatMap((sort) => [
        <option key={`${sort} asc`} value={`${sort} asc`}>{`${SORT_NAMES[sort]}, A–Z`}</option>,
        <option key={`${sort} desc`} value={`${sort} desc`}>{`${SORT_NAMES[sort]}, Z–A`}</option>
      ])}
    </select>
  )
}
