// Estimates the heap that records use in the worker, with their indexes, sort orders and search texts: an upper bound, by
// which the worker refuses a customer before memory runs out. Limits of counts would not do: a device with the longest texts
// needs ten times the heap of a usual one. test/server/inventory/worker/heap-size.long.test.ts compares the bound with V8's heap.

import type { Device, Project, Subscription } from '#shared/answers/customers.ts'
import { DEVICE_FIELDS, DEVICE_SEARCHED } from '#shared/devices.ts'
import { DEVICE_FOUND_BY } from './device-table.ts'

/** Bytes of each record without its texts. */
const PROJECT_BYTES = 400
const DEVICE_BYTES = 544
const SUBSCRIPTION_BYTES = 144
const PLAN_LIMIT_BYTES = 56
/** Bytes of each text without its characters. */
const TEXT_BYTES = 16
/** V8 rounds the size of a text up to a multiple of this. */
const WORD_BYTES = 8
/** A character that makes its whole text use two bytes per character. */
const WIDE_CHARACTER = /[^\0-\xff]/
/** Search texts join many texts: one wide character makes all of them wide. */
const SEARCH_BYTES_PER_CHARACTER = 2

const TEXT_FIELDS = Object.keys(DEVICE_FIELDS) as (keyof typeof DEVICE_FIELDS)[]
/** Fields that are copied to search texts; some are copied twice. */
const SEARCH_FIELDS = [...DEVICE_SEARCHED, ...DEVICE_FOUND_BY]

export function projectHeapBytes({ id, projectName }: Project): number {
  return PROJECT_BYTES + textBytes(id) + textBytes(projectName)
}

/** The heap of a device without its subscriptions. */
export function deviceHeapBytes(device: Device): number {
  let bytes = DEVICE_BYTES
  for (const field of TEXT_FIELDS) {
    const text = device[field]
    if (text) bytes += textBytes(text)
  }
  for (const field of SEARCH_FIELDS) bytes += (device[field] ?? '').length * SEARCH_BYTES_PER_CHARACTER
  return bytes
}

export function subscriptionHeapBytes(subscription: Subscription): number {
  const { offeringCode, startDate, endDate, planLimit } = subscription
  const planLimitBytes = planLimit === undefined ? 0 : PLAN_LIMIT_BYTES
  const textsBytes = textBytes(offeringCode) + textBytes(startDate) + textBytes(endDate)
  return SUBSCRIPTION_BYTES + planLimitBytes + textsBytes
}

function textBytes(text: string): number {
  const characterBytes = WIDE_CHARACTER.test(text) ? 2 * text.length : text.length
  return TEXT_BYTES + WORD_BYTES * Math.ceil(characterBytes / WORD_BYTES)
}
