import { withoutUnsearchable } from '#shared/devices.ts'
import type { Device, DevicePage } from '#shared/entities.ts'
import { type Load, useLoad } from './use-load.ts'

const OFFERED = 20

/** The first devices that match, for a chooser. */
export function useDeviceSearch(customerId: string | null, keyword: string): Load<Device[]> {
  const query = new URLSearchParams({ q: withoutUnsearchable(keyword).trim(), size: String(OFFERED) })
  const path = customerId && `/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices?${query}`
  const { data, ...load } = useLoad<DevicePage>(path, { keepPreviousData: true })
  return { ...load, data: data?.items }
}

/** One device by its uuid; null loads nothing. */
export function useDevice(customerId: string, deviceUuid: string | null): Load<Device> {
  const base = `/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices`
  return useLoad<Device>(deviceUuid && `${base}/${encodeURIComponent(deviceUuid)}`)
}
