// Reads projects, devices and subscriptions from upstream bodies (upstream contract). A missing or wrong field, or an
// overlong text, becomes a default; unknown fields are dropped. Also computes an upper bound of the bytes that records, with
// their indexes, sort orders and search texts, use in the worker's heap.
// test/server/inventory/worker/memory.long.test.ts compares this bound with the heap.
import { DEVICE_FIELDS, DEVICE_FOUND_BY, DEVICE_SEARCHED } from '#shared/devices.ts'
import type { Device, Project, Subscription } from '#shared/entities.ts'
import { id as anyId, text as anyText, raw } from '../../upstreams/fields.ts'

/** Five times the longest name that the product allows. */
const TEXT_MAX_CHARACTERS = 256
/** Times have 24 characters. */
const SUBSCRIPTION_TEXT_MAX_CHARACTERS = 64

const bounded = (value: string, max = TEXT_MAX_CHARACTERS) => (value.length > max ? '' : value)
const id = (value: unknown) => bounded(anyId(value) ?? '')
const text = (value: unknown, max?: number) => bounded(anyText(value), max)

const READERS = {
  id,
  text: (value: unknown) => text(value),
  'text or null': (value: unknown) => text(value) || null
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
    offeringCode: text(offeringCode, SUBSCRIPTION_TEXT_MAX_CHARACTERS),
    startDate: text(startDate, SUBSCRIPTION_TEXT_MAX_CHARACTERS),
    endDate: text(endDate, SUBSCRIPTION_TEXT_MAX_CHARACTERS)
  }
  if (Number.isFinite(planLimit)) subscription.planLimit = planLimit as number
  return { deviceUuid: text(deviceUuid), subscription }
}

/** Bytes of each record without its texts. */
const PROJECT_BYTES = 400
const DEVICE_BYTES = 544
const SUBSCRIPTION_BYTES = 144
const PLAN_LIMIT_BYTES = 56
/** Bytes of each text besides its characters, whose size is rounded up to a multiple of eight. */
const TEXT_BYTES = 16
/** A character that makes its whole text use two bytes per character. */
const WIDE = /[^\0-\xff]/

/** Fields that a search text joins. One wide character in any field makes the search text wide. */
const SEARCHED_FIELDS: readonly string[] = [...DEVICE_SEARCHED, ...DEVICE_FOUND_BY]
const DEVICE_TEXTS = Object.keys(DEVICE_FIELDS).map((field) => ({
  field: field as keyof typeof DEVICE_FIELDS,
  searchedBytes: 2 * SEARCHED_FIELDS.filter((name) => name === field).length
}))

export function projectBytes({ id, projectName }: Project): number {
  return PROJECT_BYTES + textBytes(id) + textBytes(projectName)
}

/** Size of a device without its subscriptions. */
export function deviceBytes(device: Device): number {
  let bytes = DEVICE_BYTES
  for (const { field, searchedBytes } of DEVICE_TEXTS) {
    const text = device[field]
    if (text) bytes += textBytes(text) + text.length * searchedBytes
  }
  return bytes
}

export function subscriptionBytes({ offeringCode, startDate, endDate, planLimit }: Subscription): number {
  const bytes = SUBSCRIPTION_BYTES + (planLimit === undefined ? 0 : PLAN_LIMIT_BYTES)
  return bytes + textBytes(offeringCode) + textBytes(startDate) + textBytes(endDate)
}

function textBytes(text: string): number {
  const words = Math.ceil((text.length * (WIDE.test(text) ? 2 : 1)) / 8)
  return TEXT_BYTES + 8 * words
}
