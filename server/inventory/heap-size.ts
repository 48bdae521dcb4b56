// What records take of the worker's heap, with all that is made of them: indexes, orders, texts to search in. An upper bound
// in bytes; test/server/inventory/memory.long.test.ts compares it with the heap.
import { DEVICE_FIELDS, DEVICE_FOUND_BY, DEVICE_SEARCHED } from '#shared/devices.ts'
import type { Device, Project, Subscription } from '#shared/entities.ts'

/** Of each record without its texts. */
const PROJECT_BYTES = 400
const DEVICE_BYTES = 544
const SUBSCRIPTION_BYTES = 144
const PLAN_LIMIT_BYTES = 56
/** Of each text without its characters, which take a multiple of eight. */
const TEXT_BYTES = 16
/** One such character makes all of a text take two bytes each. */
const WIDE = /[^\0-\xff]/

/** Devices are searched in texts made of these; one wide character in any makes all of such a text wide. */
const SEARCHED: readonly string[] = [...DEVICE_SEARCHED, ...DEVICE_FOUND_BY]
const DEVICE_TEXTS = Object.keys(DEVICE_FIELDS).map((field) => ({
  field: field as keyof typeof DEVICE_FIELDS,
  searchedBytes: 2 * SEARCHED.filter((name) => name === field).length
}))

export function projectBytes({ id, projectName }: Project): number {
  return PROJECT_BYTES + textBytes(id) + textBytes(projectName)
}

/** Without its subscriptions. */
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
