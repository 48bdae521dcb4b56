import type { DevicePage } from '#shared/entities.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { type Load, useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import { fetchPoints } from '../points/api.ts'
import type { SavedExport, SelectedPoints } from './api.ts'
import { keyOf } from './chosen-points.ts'

const DEVICE_PAGES_MAX = 5

/** What the points of an export are called, by their keys; those that are no longer there have no name. */
export function usePointNames(like: SavedExport | null): Load<Map<string, string>> {
  return useQuery(
    like && `names of the points of export ${like.id}`,
    (_name, signal) => namesOf(like?.customerId ?? '', like?.request?.selectedPoints ?? [], signal),
    { revalidateOnFocus: false }
  )
}

async function namesOf(
  customerId: string,
  selected: readonly SelectedPoints[],
  signal: AbortSignal
): Promise<Map<string, string>> {
  const systems = new Set(selected.map(({ systemGuid }) => systemGuid))
  const [devices, ...pages] = await Promise.all([
    deviceNames(customerId, systems, signal),
    ...[...systems].map((systemGuid) =>
      fetchPoints(
        customerId,
        {
          systemGuid,
          items: [],
          type: 'pointNames',
          comparison: 'CONTAINS',
          page: 0,
          size: PAGE_SIZE_MAX,
          sort: 'displayName',
          order: 'asc'
        },
        signal
      )
    )
  ])
  return new Map(
    pages.flatMap(({ items }) =>
      items.map(({ systemGuid, pointId, cloudId, displayName }) => [
        keyOf({ systemGuid, pointId: pointId ?? cloudId }),
        [devices.get(systemGuid), displayName].filter(Boolean).join(' · ')
      ])
    )
  )
}

/** Of these systems, by their guids. */
async function deviceNames(
  customerId: string,
  systems: ReadonlySet<string>,
  signal: AbortSignal
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const path = `/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices?size=${PAGE_SIZE_MAX}`
  for (let page = 0; page < DEVICE_PAGES_MAX && names.size < systems.size; page += 1) {
    const list = await request<DevicePage>(`${path}&page=${page}`, { signal })
    for (const { systemGuid, deviceName } of list.items)
      if (systems.has(systemGuid)) names.set(systemGuid, deviceName)
    if (page + 1 >= list.page.totalPages) break
  }
  return names
}
