import type { Device, DevicePage } from '#shared/entities.ts'
import {
  CUSTOMER_RELOAD_MS,
  DEVICE_PAGE_SIZE,
  DEVICE_PAGE_SIZE_MOBILE,
  PAGE_SIZE_MAX
} from '#shared/limits.ts'
import { type DeviceView, FIRST_VIEW } from '../lib/device-view.ts'
import { request } from './request.ts'
import { type Load, useLoad } from './use-load.ts'
import { type Pages, usePages } from './use-pages.ts'

function devicesPath(customerId: string, view: DeviceView, size: number): string {
  const { project, q, service, expires, sort, order } = view
  const query = new URLSearchParams({ sort, order, size: String(size) })
  if (project) query.set('projectId', project)
  if (q) query.set('q', q)
  if (service) query.set('service', service)
  if (expires) query.set('expires', String(expires))
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

/** All that the view is about, up to the largest page that there is. */
export function fetchDevices(customerId: string, view: DeviceView): Promise<DevicePage> {
  return request<DevicePage>(`${devicesPath(customerId, view, PAGE_SIZE_MAX)}&page=0`)
}

const devicePath = (customerId: string, deviceUuid: string) =>
  `/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices/${encodeURIComponent(deviceUuid)}`

export function useDevice(customerId: string, deviceUuid: string): Load<Device> {
  return useLoad<Device>(customerId && deviceUuid ? devicePath(customerId, deviceUuid) : null, {
    refreshInterval: CUSTOMER_RELOAD_MS
  })
}

export function fetchDevice(customerId: string, deviceUuid: string, signal?: AbortSignal): Promise<Device> {
  return request<Device>(devicePath(customerId, deviceUuid), signal ? { signal } : {})
}

/** The devices of a project in the order of their names; null loads nothing. */
export function useProjectDevices(customerId: string, projectId: string | null): Load<DevicePage> {
  const view = { ...FIRST_VIEW, project: projectId }
  return useLoad<DevicePage>(projectId && `${devicesPath(customerId, view, PAGE_SIZE_MAX)}&page=0`)
}

/** The first devices that a text finds, for a choice of one. */
export function useDeviceSuggestions(customerId: string, text: string, size: number): Load<DevicePage> {
  return useLoad<DevicePage>(`${devicesPath(customerId, { ...FIRST_VIEW, q: text }, size)}&page=0`, {
    keepPreviousData: true
  })
}
