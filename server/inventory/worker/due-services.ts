// Finds a customer's expired and expiring services, data plans and Recover devices, by the rules of the device list.

import type { Device, Subscription } from '#shared/answers/customers.ts'
import { ENDED_DAYS } from '#shared/devices.ts'
import { EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import { planOf } from '../../usage-metrics.ts'
import { createDeviceTable } from './device-table.ts'

export interface Plan {
  deviceId: string
  deviceUuid: string
  subscription: Subscription
}

export interface DueServices {
  /** Numbers of devices with an expired service, and with one that expires within 30 days. */
  ended: number
  ending: number
  /** Active data services with a known plan limit. */
  plans: Plan[]
  /** Uuids of the devices with a Recover service. */
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
