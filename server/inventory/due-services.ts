// What of a customer's services is due, by the rules of the device list, which shows exactly those. It is read by itself:
// a customer need not be put together for it.
import { ENDED_DAYS } from '#shared/devices.ts'
import type { Device, Subscription } from '#shared/entities.ts'
import { EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import { createDeviceTable } from '#shared/search/device-table.ts'
import { planOf } from '#shared/usage.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import type { Viewer } from '../upstreams/visibility.ts'
import { createListReader } from './list-reader.ts'
import type { InventoryWorker } from './worker-client.ts'

export interface Plan {
  deviceId: string
  deviceUuid: string
  subscription: Subscription
}

export interface DueServices {
  /** Devices of which a service has ended, or ends within 30 days. */
  ended: number
  ending: number
  /** Active data services of which the plan's limit is known. */
  plans: Plan[]
  /** Uuids of the devices with Recover. */
  recover: string[]
}

export function dueServicesOf(devices: readonly Device[], nowMs: number): DueServices {
  const table = createDeviceTable(devices)
  return {
    ended: table.filter({ expires: ENDED_DAYS }, nowMs).length,
    ending: table.filter({ expires: EXPIRY_WARNING_DAYS }, nowMs).length,
    plans: table.filter({ service: 'NDS' }, nowMs).flatMap(({ id, deviceUuid, subscriptions }) => {
      const subscription = planOf(subscriptions)
      return subscription && (subscription.planLimit ?? 0) > 0
        ? [{ deviceId: id, deviceUuid, subscription }]
        : []
    }),
    recover: table.filter({ service: 'Recover' }, nowMs).map(({ deviceUuid }) => deviceUuid)
  }
}

interface Sources {
  client: UpstreamClient
  worker: InventoryWorker
  /** Names for what the worker holds. */
  nextId: () => number
}

/** One call for the subscriptions, and one for each 1,000 devices. Throws the upstream's problem. */
export async function fetchDueServices(
  { client, worker, nextId }: Sources,
  customerId: string,
  viewer: Viewer,
  nowMs: number,
  signal: AbortSignal
): Promise<DueServices> {
  const id = nextId()
  const reader = createListReader({ client, worker, id, customerId, bearer: viewer, signal })
  try {
    const subscriptions = await reader.subscriptions(signal)
    const devices = await reader.pages('devices')
    reader.check(signal)
    return await worker.ask(
      'dueServices',
      { id, customerId, devices, subscriptions, nowMs },
      subscriptions.pieces
    )
  } finally {
    worker.release(id)
  }
}
