import useSWR from 'swr'
import type { DevicePage } from '#shared/entities.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { isAbort } from './api-error.ts'
import { useKeyOf } from './identity.ts'
import { signalOf, useHold } from './in-flight.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'

export interface DeviceName {
  deviceUuid: string
  deviceName: string
  projectName: string | null
}

const DEVICE_PAGES_MAX = 5

/** Names of a customer's devices by id, of the first few thousand: alarms know only ids. */
export function useDeviceNames(customerId: string | null): Load<Map<string, DeviceName>> {
  const keyOf = useKeyOf()
  const base =
    customerId && `/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices?size=${PAGE_SIZE_MAX}`
  useHold(base)
  const { data, error, isValidating, mutate } = useSWR<Map<string, DeviceName>, unknown>(
    base && keyOf(`${base} names`),
    async () => {
      const names = new Map<string, DeviceName>()
      for (let page = 0; page < DEVICE_PAGES_MAX; page += 1) {
        const list = await request<DevicePage>(`${base}&page=${page}`, { signal: signalOf(base ?? '') })
        for (const { id, deviceUuid, deviceName, projectName } of list.items) {
          names.set(id, { deviceUuid, deviceName, projectName })
        }
        if (page + 1 >= list.page.totalPages) break
      }
      return names
    },
    { revalidateOnFocus: false }
  )
  return { data, error: isAbort(error) ? undefined : error, busy: isValidating, reload: () => void mutate() }
}
