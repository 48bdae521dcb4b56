import type { DevicePage } from '#shared/entities.ts'
import { CUSTOMER_RELOAD_MS, DEVICE_PAGE_SIZE, DEVICE_PAGE_SIZE_MOBILE } from '#shared/limits.ts'
import type { DeviceView } from '../lib/device-view.ts'
import { type Load, useLoad } from './use-load.ts'
import { type Pages, usePages } from './use-pages.ts'

function devicesPath(customerId: string, { project, q, sort, order }: DeviceView, size: number): string {
  const query = new URLSearchParams({ sort, order, size: String(size) })
  if (project) query.set('projectId', project)
  if (q) query.set('q', q)
  return `/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices?${query}`
}

/** The page of the desktop table; while another loads, the one before stays. */
export function useDevicePage(customerId: string, view: DeviceView): Load<DevicePage> {
  return useLoad<DevicePage>(`${devicesPath(customerId, view, DEVICE_PAGE_SIZE)}&page=${view.page}`, {
    keepPreviousData: true,
    refreshInterval: CUSTOMER_RELOAD_MS
  })
}

/** The growing list of the smaller screens. */
export function useDeviceList(customerId: string, view: DeviceView): Pages<DevicePage> {
  return usePages<DevicePage>(devicesPath(customerId, view, DEVICE_PAGE_SIZE_MOBILE), CUSTOMER_RELOAD_MS)
}
