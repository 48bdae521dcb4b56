import type { Device, DevicePage, Missing, Project } from '#shared/answers/customers.ts'
import type { License } from '#shared/answers/management.ts'
import type { Page } from '#shared/answers/parts.ts'
import { calls } from '#shared/calls.ts'
import { withoutUnsearchable } from '#shared/devices.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { allPages } from '../../../lib/http/hal.ts'
import { get, type QueryResult, useInfiniteQuery, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { CUSTOMER_RELOAD_MS, PARTIAL_RETRY_MS } from '../../../lib/limits.ts'
import { pageNumber } from '../../../lib/use-list-query.ts'
import { isRegistrationCode } from '../../../lib/validation.ts'
import { type DeviceView, FIRST_VIEW } from './device-view.ts'

function devicesPath(customerId: string, view: DeviceView, size: number): string {
  const { project: projectId, q, service, expires, plan, sort, order } = view
  return calls.devices(customerId, { sort, order, size, projectId, q, service, expires, plan })
}

/** Poll interval while the gateway reads data usage, during which more devices are found. */
const READING_MS = 5_000

function refreshMs(partial: readonly Missing[] = []): number {
  if (partial.includes('plans')) return READING_MS
  return partial.includes('subscriptions') ? PARTIAL_RETRY_MS : CUSTOMER_RELOAD_MS
}

/**
 * One page of devices, or all loaded pages of a growing list. The previous page stays while another page loads.
 * `more` adds the next page to a growing list; `more` is null after the last page.
 */
export function useDevices(customerId: string, view: DeviceView, size: number, grows: boolean) {
  const path = devicesPath(customerId, view, size)
  const page = useQuery(grows ? null : `${path}&page=${pageNumber(view.page)}`, get<DevicePage>, {
    keepPreviousData: true,
    refreshInterval: (answer) => refreshMs(answer?.partial)
  })
  const pages = useInfiniteQuery<DevicePage>(grows ? path : null, (loaded) =>
    refreshMs(loaded?.flatMap(({ partial }) => partial))
  )
  if (!grows) return { ...page, more: undefined }
  const [first] = pages.data ?? []
  const allPages = first && {
    items: pages.data?.flatMap(({ items }) => items) ?? [],
    page: first.page,
    partial: pages.data?.flatMap(({ partial }) => partial) ?? []
  }
  return { ...pages, data: allPages, more: pages.hasNextPage ? pages.fetchNextPage : null }
}

/** Up to `max` devices of the view, loaded in pages of the maximum size. */
export function fetchDevices(
  customerId: string,
  view: DeviceView,
  max = PAGE_SIZE_MAX,
  signal?: AbortSignal
): Promise<Device[]> {
  return allPages(get<Page<Device>>, max)(devicesPath(customerId, view, PAGE_SIZE_MAX), signal)
}

/** Sorted by host ID: a device that is renamed meanwhile stays on its page, so that no device is left out. */
export function fetchAllDevices(customerId: string): Promise<Device[]> {
  return fetchDevices(customerId, { ...FIRST_VIEW, sort: 'hostId' }, Number.POSITIVE_INFINITY)
}

export function useDeviceCount(customerId: string, view: DeviceView): number | undefined {
  const path = `${devicesPath(customerId, view, 1)}&page=0`
  return useQuery(path, get<DevicePage>, { refreshInterval: CUSTOMER_RELOAD_MS }).data?.page.totalElements
}

/** One device; an empty id loads nothing. */
export function useDevice(customerId: string, deviceUuid: string): QueryResult<Device> {
  return useQuery(customerId && deviceUuid ? calls.device(customerId, deviceUuid) : null, get<Device>, {
    refreshInterval: (device) => refreshMs(device?.partial)
  })
}

export function fetchDevice(customerId: string, deviceUuid: string, signal?: AbortSignal): Promise<Device> {
  return get<Device>(calls.device(customerId, deviceUuid), signal)
}

/** The devices of a project, sorted by name; a null project id loads nothing. */
export function useProjectDevices(customerId: string, projectId: string | null): QueryResult<DevicePage> {
  const view = { ...FIRST_VIEW, project: projectId ?? '' }
  const path = projectId && `${devicesPath(customerId, view, PAGE_SIZE_MAX)}&page=0`
  return useQuery(path, get<DevicePage>)
}

const SEARCH_RESULTS = 20

/** The first devices that match a text; a null customer id loads nothing. */
export function useDeviceSearch(
  customerId: string | null,
  text: string,
  size = SEARCH_RESULTS
): QueryResult<Device[]> {
  const view = { ...FIRST_VIEW, q: withoutUnsearchable(text).trim() }
  const path = customerId && `${devicesPath(customerId, view, size)}&match=words&page=0`
  const { data, ...result } = useQuery(path, get<DevicePage>, { keepPreviousData: true })
  return { ...result, data: data?.items }
}

export type DeviceName = Pick<Device, 'deviceUuid' | 'deviceName' | 'projectName' | 'hostId'>

const NAMES_MAX = 5 * PAGE_SIZE_MAX

/** Names of a customer's first few thousand devices by id, because alarms and audit log entries contain only device ids. */
export function useDeviceNames(customerId: string | null): QueryResult<Map<string, DeviceName>> {
  const path = customerId && calls.devices(customerId, { size: PAGE_SIZE_MAX })
  return useQuery(
    path && `${path} names`,
    async (_name, signal) => {
      const devices = await allPages(get<Page<Device>>, NAMES_MAX)(String(path), signal)
      return new Map(
        devices.map(({ id, deviceUuid, deviceName, projectName, hostId }) => [
          id,
          { deviceUuid, deviceName, projectName, hostId }
        ])
      )
    },
    { revalidateOnFocus: false }
  )
}

export interface DeviceChange {
  deviceName?: string
  location?: string
  project?: Project
}

export function updateDevice(deviceId: string, change: DeviceChange, customerId: string): Promise<unknown> {
  const { project, ...body } = change
  return request(calls.managedDevice(deviceId), {
    method: 'PATCH',
    body: { ...body, ...(project ? { project: `/projects/${project.id}` } : {}) },
    customerId
  })
}

export function deleteDevice(deviceId: string, customerId: string): Promise<unknown> {
  return request(calls.managedDevice(deviceId), { method: 'DELETE', customerId })
}

/** The licenses of a complete registration code. With `device`, only licenses that this device may use. */
export function useLicenses(
  code: string,
  device?: { deviceUuid: string; customerId: string }
): QueryResult<License[]> {
  const path = device ? calls.licensesForDevice(code, device.deviceUuid) : calls.licenses(code)
  return useQuery(
    isRegistrationCode(code) ? path : null,
    async (url, signal) => {
      const customerId = device?.customerId
      const { licenses = [] } = await request<{ licenses?: License[] }>(url, { signal, customerId })
      return licenses
    },
    { revalidateOnFocus: false }
  )
}

export function reregisterDevice(
  body: { userCode: string; deviceUuid: string; licenseId: string },
  customerId: string
): Promise<unknown> {
  return request(calls.reregistration, { method: 'POST', body, customerId })
}
