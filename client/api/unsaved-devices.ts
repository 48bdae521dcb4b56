import useSWR from 'swr'
import type { Device, DevicePage } from '#shared/entities.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { isAbort } from './api-error.ts'
import { type Backup, backupsPath } from './backups.ts'
import { type HalList, pageOfHal } from './hal.ts'
import { useKeyOf } from './identity.ts'
import { signalOf, useHold } from './in-flight.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'

const RECENT_MS = 30 * 86_400_000

export interface UnsavedDevices {
  devices: { device: Device; lastDate: string | null }[]
  /** Devices with Recover that were looked at. */
  looked: number
  /** False when the customer has more devices than were looked at. */
  complete: boolean
}

/** Devices with Recover without a good backup in the last 30 days. No API knows them: two lists are compared. */
export function useUnsavedDevices(customerId: string, nowMs: number): Load<UnsavedDevices> {
  const keyOf = useKeyOf()
  const base = `${backupsPath(customerId)} unsaved`
  useHold(base)
  const { data, error, isValidating, mutate } = useSWR<UnsavedDevices, unknown>(keyOf(base), load)

  async function load(): Promise<UnsavedDevices> {
    const signal = signalOf(base)
    const list = new URLSearchParams({ size: String(PAGE_SIZE_MAX), service: 'Recover' })
    const [devices, backups] = await Promise.all([
      request<DevicePage>(`/api/portal/v1/customers/${encodeURIComponent(customerId)}/devices?${list}`, {
        signal
      }),
      allBackups(customerId, signal)
    ])
    const last = new Map<string, string>()
    for (const { deviceUuid, backupDate, status } of backups) {
      if (status === 'COMPLETE' && backupDate > (last.get(deviceUuid) ?? '')) last.set(deviceUuid, backupDate)
    }
    const withRecover = devices.items.filter(({ subscriptions }) =>
      subscriptions.some(
        ({ offeringCode, endDate }) => offeringCode === 'Recover' && Date.parse(endDate) > nowMs
      )
    )
    return {
      devices: withRecover
        .map((device) => ({ device, lastDate: last.get(device.deviceUuid) ?? null }))
        .filter(({ lastDate }) => lastDate === null || Date.parse(lastDate) < nowMs - RECENT_MS)
        .sort((a, b) => (a.lastDate ?? '').localeCompare(b.lastDate ?? '')),
      looked: withRecover.length,
      complete: devices.page.totalPages <= 1
    }
  }

  return {
    data,
    error: isAbort(error) ? undefined : error,
    busy: isValidating,
    reload: () => void mutate()
  }
}

async function allBackups(customerId: string, signal: AbortSignal): Promise<Backup[]> {
  const found: Backup[] = []
  for (let page = 0; ; page += 1) {
    const query = new URLSearchParams({
      page: String(page),
      size: String(PAGE_SIZE_MAX),
      sort: 'backupDate,desc'
    })
    const answer = await request<HalList<Backup>>(`${backupsPath(customerId)}?${query}`, { signal })
    const list = pageOfHal(answer, 'backups')
    found.push(...list.items)
    if (page + 1 >= list.page.totalPages) return found
  }
}
