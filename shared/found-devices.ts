// Sorts the devices that a search over customers finds.

import type { FoundDevice } from './answers/customers.ts'
import { compareTexts } from './text-order.ts'

/** Which part of a text a keyword matches, the closest match first. */
export const MATCHES = ['whole', 'start', 'part'] as const
export type Match = (typeof MATCHES)[number]

/** Sorts by closeness of the match, then by name, then by customer. */
function compareFound(a: FoundDevice, b: FoundDevice): number {
  return (
    MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) ||
    compareTexts(a.device.deviceName, b.device.deviceName) ||
    compareTexts(a.customer.orgName, b.customer.orgName) ||
    (a.device.deviceUuid < b.device.deviceUuid ? -1 : 1)
  )
}

/** The best `size` devices among the best ones so far and `more`. */
export function mergeFound(
  best: readonly FoundDevice[],
  more: readonly FoundDevice[],
  size: number
): readonly FoundDevice[] {
  const last = best[size - 1]
  const better = last === undefined ? more : more.filter((device) => compareFound(device, last) < 0)
  return better.length === 0 ? best : [...best, ...better].sort(compareFound).slice(0, size)
}
