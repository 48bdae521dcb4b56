// What upstreams tell of projects, devices and subscriptions (upstream contract), as ours. A missing or wrong field becomes
// a plain value; fields that no table names are left out.
import { DEVICE_FIELDS } from '#shared/devices.ts'
import type { Device, Project, Subscription } from '#shared/entities.ts'
import { id, raw, text } from '../upstreams/fields.ts'

const READERS = {
  id: (value: unknown) => id(value) ?? '',
  text,
  'text or null': (value: unknown) => text(value) || null
}
const FIELDS = Object.entries(DEVICE_FIELDS).map(([name, kind]) => ({ name, read: READERS[kind] }))

/** Of a device, by the uuid that joins them. */
export interface OwnedSubscription {
  deviceUuid: string
  subscription: Subscription
}

export function toProject(item: unknown): Project {
  const project = raw(item)
  return { id: id(project.id) ?? '', projectName: text(project.projectName) }
}

/** Not yet in a project, and without subscriptions. */
export function toDevice(item: unknown): Device {
  const given = raw(item)
  const device: Record<string, unknown> = {}
  for (const { name, read } of FIELDS) device[name] = read(given[name])
  device.deviceName ||= text(given.name)
  device.projectId = null
  device.subscriptions = []
  return device as unknown as Device
}

export function toSubscription(item: unknown): OwnedSubscription {
  const { deviceUuid, offeringCode, startDate, endDate, planLimit } = raw(item)
  const subscription: Subscription = {
    offeringCode: text(offeringCode),
    startDate: text(startDate),
    endDate: text(endDate)
  }
  if (Number.isFinite(planLimit)) subscription.planLimit = planLimit as number
  return { deviceUuid: text(deviceUuid), subscription }
}
