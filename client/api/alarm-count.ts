import { useLoad } from './use-load.ts'

/** How many alarms of a device want a look (§7); undefined while it is not known, or may not be. */
export function useDeviceAlarmCount(customerId: string, deviceId: string | null): number | undefined {
  const path = (id: string) =>
    `/api/v1/alarms/customers/${encodeURIComponent(customerId)}/devices/${encodeURIComponent(id)}/alarms/count?${new URLSearchParams({ sourceId: id })}`
  return useLoad<{ count: number }>(deviceId && path(deviceId)).data?.count
}
