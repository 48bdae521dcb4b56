// Filters devices by the terms of their services. Pure.
import type { Device } from '../entities.ts'

const DAY_MS = 86_400_000

/** Milliseconds since 1970; NaN for an invalid date. */
export interface Term {
  startMs: number
  endMs: number
}

/** A subscription is active from its start until its end, exclusive. */
export function isActive({ startMs, endMs }: Term, nowMs: number): boolean {
  return startMs <= nowMs && nowMs < endMs
}

/** Whether the term is active and ends within the days, rounded up. */
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

/** The terms of all devices, in their order. */
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

/** 1 for devices with an active service that passes the filter, 0 for others. */
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

/** 1 for devices with an ended service, 0 for others. With a later subscription, even a future one, it has not ended. */
export function havingEnded(
  terms: readonly HeldTerm[],
  count: number,
  { service }: TermFilter,
  nowMs: number
): Uint8Array {
  const meant = terms.filter((term) => service === undefined || term.service === service)
  const nameOf = (term: HeldTerm) => `${term.at} ${term.service}`
  const lasting = new Set(meant.filter(({ endMs }) => endMs > nowMs).map(nameOf))
  const found = new Uint8Array(count)
  for (const term of meant) if (term.endMs <= nowMs && !lasting.has(nameOf(term))) found[term.at] = 1
  return found
}
