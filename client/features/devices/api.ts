import { withoutUnsearchable } from '#shared/devices.ts'
import type { Device, DevicePage, Missing } from '#shared/entities.ts'
import { CUSTOMER_RELOAD_MS, DEVICE_PAGE_SIZE_MOBILE, PAGE_SIZE_MAX } from '#shared/limits.ts'
import { type Load, type Pages, useLoad, usePages, useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import { type DeviceView, FIRST_VIEW } from './device-view.ts'

function devicesPath(customerId: string, view: DeviceView, size: number): string {
  const { project, q, service, expires, plan, sort, order } = view
  const query = new URLSearchParams({ sort, order, size: String(size) })
  if (project) query.set('projectId', project)
  if (q) query.set('q', q)
  if (service) query.set('service', service)
  if (expires !== null) query.set('expires', String(expires))
  if (plan) query.set('plan', plan)
  return `/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices?${query}`
}

/** While data usage is being read, further devices follow. */
const READING_MS = 5_000
const refreshMs = (partial: readonly Missing[] = []) =>
  partial.includes('plans') ? READING_MS : CUSTOMER_RELOAD_MS

/** A page of the table; while another loads, the one before stays. */
export function useDevicePage(customerId: string, view: DeviceView, size: number): Load<DevicePage> {
  return useLoad<DevicePage>(`${devicesPath(customerId, view, size)}&page=${view.page}`, {
    keepPreviousData: true,
    refreshInterval: (page) => refreshMs(page?.partial)
  })
}

/** The growing list of the smaller screens. */
export function useDeviceList(customerId: string, view: DeviceView): Pages<DevicePage> {
  return usePages<DevicePage>(devicesPath(customerId, view, DEVICE_PAGE_SIZE_MOBILE), CUSTOMER_RELOAD_MS)
}

/** All that the view is about, up to so many; read in the largest pages that there are. */
export async function fetchDevices(
  customerId: string,
  view: DeviceView,
  max = PAGE_SIZE_MAX,
  signal?: AbortSignal
): Promise<Device[]> {
  const path = devicesPath(customerId, view, PAGE_SIZE_MAX)
  const devices: Device[] = []
  for (let page = 0; devices.length < max; page += 1) {
    const list = await request<DevicePage>(`${path}&page=${page}`, signal ? { signal } : {})
    devices.push(...list.items)
    if (page + 1 >= list.page.totalPages) break
  }
  return devices.slice(0, max)
}

/** How many devices a view is about; null asks nothing. */
export function useDeviceCount(customerId: string, view: DeviceView | null): number | undefined {
  const path = view && `${devicesPath(customerId, view, 1)}&page=0`
  return useLoad<DevicePage>(path, { refreshInterval: CUSTOMER_RELOAD_MS }).data?.page.totalElements
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

const OFFERED = 20

/** The first devices that a text finds; null loads nothing. */
export function useDeviceSearch(customerId: string | null, text: string, size = OFFERED): Load<Device[]> {
  const view = { ...FIRST_VIEW, q: withoutUnsearchable(text).trim() }
  const path = customerId && `${devicesPath(customerId, view, size)}&match=words&page=0`
  const { data, ...load } = useLoad<DevicePage>(path, { keepPreviousData: true })
  return { ...load, data: data?.items }
}

/** One device by its uuid, not read again by itself; null loads nothing. */
export function useDeviceOnce(customerId: string, deviceUuid: string | null): Load<Device> {
  return useLoad<Device>(deviceUuid && devicePath(customerId, deviceUuid))
}

export interface DeviceName {
  deviceUuid: string
  deviceName: string
  projectName: string | null
}

const DEVICE_PAGES_MAX = 5

/** Names of a customer's devices by id, of the first few thousand: alarms know only ids. */
export function useDeviceNames(customerId: string | null): Load<Map<string, DeviceName>> {
  const base =
    customerId && `/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices?size=${PAGE_SIZE_MAX}`
  return useQuery(
    base && `${base} names`,
    async (_name, signal) => {
      const names = new Map<string, DeviceName>()
      for (let page = 0; page < DEVICE_PAGES_MAX; page += 1) {
        const list = await request<DevicePage>(`${base}&page=${page}`, { signal })
        for (const { id, deviceUuid, deviceName, projectName } of list.items) {
          names.set(id, { deviceUuid, deviceName, projectName })
        }
        if (page + 1 >= list.page.totalPages) break
      }
      return names
    },
    { revalidateOnFocus: false }
  )
}
