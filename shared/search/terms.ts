// Filters devices by the terms (start and end) of their subscriptions.
import type { Device } from '../entities.ts'

const DAY_MS = 86_400_000

/** Start and end of a subscription, in milliseconds since 1970; NaN for an invalid date. */
export interface Term {
  startMs: number
  endMs: number
}

/** Whether a term includes this time: from its start, until just before its end. */
export function isActive({ startMs, endMs }: Term, nowMs: number): boolean {
  return startMs <= nowMs && nowMs < endMs
}

/** Whether the term is active and its remaining days, rounded up, are at most `days`. */
export function expiresWithin(term: Term, days: number, nowMs: number): boolean {
  return isActive(term, nowMs) && Math.ceil((term.endMs - nowMs) / DAY_MS) <= days
}

interface TermFilter {
  service?: string | undefined
  expires?: number | undefined
}

export interface HeldTerm extends Term {
  /** Index of the device. */
  at: number
  service: string
}

/** The terms of all devices, in the order of the devices. */
export function termsOf(devices: readonly Device[]): HeldTerm[] {
  return devices.flatMap(({ subscriptions }, at) =>
    subscriptions.map(({ offeringCode, startDate, endDate }) => ({
      at,
      service: offeringCode,
      startMs: Date.parse(startDate),
      endMs: Date.parse(endDate)
    }))
  )
}

/** Returns 1 for devices with an active service that passes the filter, 0 for others. */
export function havingTerm(
  terms: readonly HeldTerm[],
  count: number,
  { service, expires }: TermFilter,
  nowMs: number
): Uint8Array {
  const found = new Uint8Array(count)
  for (const term of terms) {
    if (service !== undefined && term.service !== service) continue
    if (expires === undefined ? isActive(term, nowMs) : expiresWithin(term, expires, nowMs))
      found[term.at] = 1
  }
  return found
}

/** Returns 1 for devices with an ended service, 0 for others. A service with a later subscription has not ended. */
export function havingEnded(
  terms: readonly HeldTerm[],
  count: number,
  { service }: TermFilter,
  nowMs: number
): Uint8Array {
  const serviceTerms = terms.filter((term) => service === undefined || term.service === service)
  const keyOf = (term: HeldTerm) => `${term.at} ${term.service}`
  const continuedServices = new Set(serviceTerms.filter(({ endMs }) => endMs > nowMs).map(keyOf))
  const found = new Uint8Array(count)
  for (const term of serviceTerms)
    if (term.endMs <= nowMs && !continuedServices.has(keyOf(term))) found[term.at] = 1
  return found
}
