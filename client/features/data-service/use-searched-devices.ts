import type { Device } from '#shared/entities.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { useLoads } from '../../lib/loads.ts'
import { fetchDevice } from '../devices/api.ts'

const AT_ONCE = 4

export interface SearchedDevice {
  deviceUuid: string
  /** Null while it is looked up, and where there is none. */
  device: Device | null
  gone: boolean
  error: unknown
  retry: () => void
}

/** The devices of these identifiers. */
export function useSearchedDevices(customerId: string, uuids: readonly string[]): SearchedDevice[] {
  const wanted = uuids.filter((uuid) => uuid !== 'none')
  const { loads, states } = useLoads(
    wanted.map((uuid) => ({
      key: `${customerId} ${uuid}`,
      load: (signal: AbortSignal) => fetchDevice(customerId, uuid, signal)
    })),
    AT_ONCE
  )
  return wanted.map((deviceUuid) => {
    const key = `${customerId} ${deviceUuid}`
    const load = states.get(key)
    const error = load?.state === 'failed' ? load.error : undefined
    return {
      deviceUuid,
      device: load?.state === 'ready' ? load.value : null,
      gone: isNotFound(error),
      error: isNotFound(error) ? undefined : error,
      retry: () => loads.retry(key)
    }
  })
}
