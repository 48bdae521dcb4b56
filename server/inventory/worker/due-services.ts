// Finds a customer's ended and ending services, data plans and Recover devices, by the rules of the device list.

import type { Device, Subscription } from '#shared/answers/customers.ts'
import { ENDED_DAYS } from '#shared/devices.ts'
import { EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import { WORKLIST_DAYS_MAX, WORKLIST_ROWS_MAX } from '#shared/worklists.ts'
import { planOf } from '../../usage-metrics.ts'
import { createDeviceTable } from './device-table.ts'
import { type DeviceTerm, endedServices, endingServices, termsOf } from './terms.ts'

/** The fields of a device that lists of all customers show. */
export type DueDevice = Pick<Device, 'deviceUuid' | 'deviceName' | 'hostId' | 'projectName'>

export interface DueService {
  device: DueDevice
  service: string
  /** In milliseconds since 1970. */
  endMs: number
}

export interface Plan {
  deviceId: string
  device: DueDevice
  subscription: Subscription
}

export interface DueServices {
  /** Numbers of devices with an ended service, and with one that ends within 30 days. */
  ended: number
  ending: number
  /** The services that ended last, and those that end first. */
  services: DueService[]
  /** Number of services that have ended or end soon, also of those that `services` leaves out. */
  servicesTotal: number
  /** Active data services with a known plan limit. */
  plans: Plan[]
  /** The devices with a Recover service. */
  recover: DueDevice[]
  /** Size of the devices and services in memory, roughly. */
  bytes: number
}

const DEVICE_BYTES = 150
const SERVICE_BYTES = 100

export function dueServicesOf(devices: readonly Device[], nowMs: number): DueServices {
  const table = createDeviceTable(devices)
  const dueDevices = new Map<Device, DueDevice>()
  let bytes = 0

  function dueDeviceOf(device: Device): DueDevice {
    const known = dueDevices.get(device)
    if (known !== undefined) return known
    const { deviceUuid, deviceName, hostId, projectName } = device
    const due = { deviceUuid, deviceName, hostId, projectName }
    dueDevices.set(device, due)
    bytes += DEVICE_BYTES
    for (const text of Object.values(due)) bytes += text?.length ?? 0
    return due
  }

  const terms = termsOf(devices)
  const ended = endedServices(terms, nowMs).sort((a, b) => b.endMs - a.endMs)
  const ending = endingServices(terms, WORKLIST_DAYS_MAX, nowMs).sort((a, b) => a.endMs - b.endMs)
  const serviceOf = ({ deviceIndex, service, endMs }: DeviceTerm): DueService => {
    bytes += SERVICE_BYTES
    return { device: dueDeviceOf(devices[deviceIndex] as Device), service, endMs }
  }
  const services = [...ended.slice(0, WORKLIST_ROWS_MAX), ...ending.slice(0, WORKLIST_ROWS_MAX)].map(
    serviceOf
  )
  return {
    ended: table.filter({ expires: ENDED_DAYS }, nowMs).length,
    ending: table.filter({ expires: EXPIRY_WARNING_DAYS }, nowMs).length,
    services,
    servicesTotal: ended.length + ending.length,
    plans: table.filter({ service: 'NDS' }, nowMs).flatMap((device) => {
      const subscription = planOf(device.subscriptions, nowMs)
      return subscription && (subscription.planLimit ?? 0) > 0
        ? [{ deviceId: device.id, device: dueDeviceOf(device), subscription }]
        : []
    }),
    recover: table.filter({ service: 'Recover' }, nowMs).map(dueDeviceOf),
    bytes
  }
}
