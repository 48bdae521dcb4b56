// Reads projects, devices and subscriptions from upstream bodies (upstream contract). A missing or wrong field, or an
// overlong text, becomes a default; unknown fields are dropped.

import type { Device, Project, Subscription } from '#shared/answers/customers.ts'
import { DEVICE_FIELDS } from '#shared/devices.ts'
import { id as anyId, text as anyText, raw, time } from '../../upstreams/fields.ts'

/** Five times the longest name that the product allows. */
const TEXT_MAX_CHARACTERS = 256
/** Ten times the longest code. */
const OFFERING_MAX_CHARACTERS = 64

const bounded = (value: string, max = TEXT_MAX_CHARACTERS) => (value.length > max ? '' : value)
const id = (value: unknown) => bounded(anyId(value) ?? '')
const text = (value: unknown, max?: number) => bounded(anyText(value), max)

const READERS = {
  id,
  text: (value: unknown) => text(value),
  'text or null': (value: unknown) => text(value) || null,
  'time or null': (value: unknown) => time(value) || null
}
const FIELDS = Object.entries(DEVICE_FIELDS).map(([name, kind]) => ({ name, read: READERS[kind] }))

export function toProject(item: unknown): Project {
  const project = raw(item)
  return { id: id(project.id), projectName: text(project.projectName) }
}

/** Reads a device, without its project and subscriptions, which assembly adds. */
export function toDevice(item: unknown): Device {
  const fields = raw(item)
  const device: Record<string, unknown> = {}
  for (const { name, read } of FIELDS) device[name] = read(fields[name])
  device.deviceName ||= text(fields.name)
  device.projectId = null
  device.subscriptions = []
  return device as unknown as Device
}

/** Reads a subscription and the uuid of its device. */
export function toSubscription(item: unknown): { deviceUuid: string; subscription: Subscription } {
  const { deviceUuid, offeringCode, startDate, endDate, planLimit } = raw(item)
  const subscription: Subscription = {
    offeringCode: text(offeringCode, OFFERING_MAX_CHARACTERS),
    startDate: time(startDate),
    endDate: time(endDate)
  }
  if (Number.isFinite(planLimit)) subscription.planLimit = planLimit as number
  return { deviceUuid: text(deviceUuid), subscription }
}
