// Filters devices by the terms (start and end) of their subscriptions.
import type { Device } from '#shared/answers/customers.ts'
import { daysUntil, isActive, type Term } from '#shared/terms.ts'

/** Whether the term is active and its remaining days, rounded up, are at most `days`. */
export function expiresWithin(term: Term, days: number, nowMs: number): boolean {
  return isActive(term, nowMs) && daysUntil(term.endMs, nowMs) <= days
}

interface TermFilter {
  service?: string | undefined
  expires?: number | undefined
}

export interface DeviceTerm extends Term {
  deviceIndex: number
  service: string
}

/** The terms of all devices, in the order of the devices. */
export function termsOf(devices: readonly Device[]): DeviceTerm[] {
  return devices.flatMap(({ subscriptions }, deviceIndex) =>
    subscriptions.map(({ offeringCode, startDate, endDate }) => ({
      deviceIndex,
      service: offeringCode,
      startMs: Date.parse(startDate),
      endMs: Date.parse(endDate)
    }))
  )
}

/** When the first active service of each device ends; infinite for devices without an active service. */
export function firstEnds(terms: readonly DeviceTerm[], deviceCount: number, nowMs: number): Float64Array {
  const ends = new Float64Array(deviceCount).fill(Number.POSITIVE_INFINITY)
  for (const term of terms)
    if (isActive(term, nowMs)) ends[term.deviceIndex] = Math.min(ends[term.deviceIndex] as number, term.endMs)
  return ends
}

/** Returns 1 for devices with an active service that passes the filter, 0 for others. */
export function withActiveService(
  terms: readonly DeviceTerm[],
  deviceCount: number,
  { service, expires }: TermFilter,
  nowMs: number
): Uint8Array {
  const matches = new Uint8Array(deviceCount)
  for (const term of terms) {
    if (service !== undefined && term.service !== service) continue
    if (expires === undefined ? isActive(term, nowMs) : expiresWithin(term, expires, nowMs))
      matches[term.deviceIndex] = 1
  }
  return matches
}

/** Returns 1 for devices with an ended service, 0 for others. */
export function withEndedService(
  terms: readonly DeviceTerm[],
  deviceCount: number,
  { service }: TermFilter,
  nowMs: number
): Uint8Array {
  const matches = new Uint8Array(deviceCount)
  const serviceTerms = terms.filter((term) => service === undefined || term.service === service)
  for (const { deviceIndex } of endedServices(serviceTerms, nowMs)) matches[deviceIndex] = 1
  return matches
}

const keyOf = ({ deviceIndex, service }: DeviceTerm) => `${deviceIndex} ${service}`

/** The last term of each ended service. A service with a later subscription has not ended. */
export function endedServices(terms: readonly DeviceTerm[], nowMs: number): DeviceTerm[] {
  const continuedServices = new Set(terms.filter(({ endMs }) => endMs > nowMs).map(keyOf))
  const lastTerms = new Map<string, DeviceTerm>()
  for (const term of terms) {
    const key = keyOf(term)
    if (!(term.endMs <= nowMs) || continuedServices.has(key)) continue
    const last = lastTerms.get(key)
    if (last === undefined || last.endMs < term.endMs) lastTerms.set(key, term)
  }
  return [...lastTerms.values()]
}

/** For each service that ends within a number of days, its active term that ends first. */
export function endingServices(terms: readonly DeviceTerm[], days: number, nowMs: number): DeviceTerm[] {
  const firstTerms = new Map<string, DeviceTerm>()
  for (const term of terms) {
    if (!expiresWithin(term, days, nowMs)) continue
    const key = keyOf(term)
    const first = firstTerms.get(key)
    if (first === undefined || first.endMs > term.endMs) firstTerms.set(key, term)
  }
  return [...firstTerms.values()]
}
