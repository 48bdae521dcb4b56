// From when until when devices have which services, so that devices can be chosen by it without reading them.
import { DEVICE_SERVICES, type DeviceFilter, expiresWithin, isActive } from '#shared/devices.ts'
import type { Subscription } from '#shared/entities.ts'

/** Number of a service that is none of ours. */
const OTHER = DEVICE_SERVICES.length

export interface ServiceTerms {
  /** 1 for each row that has such a service at that time, 0 for the others; null when nothing is asked for. */
  having(filter: DeviceFilter, nowMs: number): Uint8Array | null
}

export interface ServiceTermsWriter {
  add(row: number, subscription: Subscription): void
  finish(rows: number): ServiceTerms
}

export function serviceTermsWriter(): ServiceTermsWriter {
  const rowOf: number[] = []
  const service: number[] = []
  const startMs: number[] = []
  const endMs: number[] = []
  return {
    add(row, { offeringCode, startDate, endDate }) {
      const known = (DEVICE_SERVICES as readonly string[]).indexOf(offeringCode)
      rowOf.push(row)
      service.push(known < 0 ? OTHER : known)
      startMs.push(Date.parse(startDate))
      endMs.push(Date.parse(endDate))
    },
    finish(rows) {
      const terms = [
        Uint32Array.from(rowOf),
        Uint8Array.from(service),
        Float64Array.from(startMs),
        Float64Array.from(endMs)
      ] as const
      return { having: (filter, nowMs) => having(terms, rows, filter, nowMs) }
    }
  }
}

type Terms = readonly [row: Uint32Array, service: Uint8Array, startMs: Float64Array, endMs: Float64Array]

function having(
  [rowOf, services, starts, ends]: Terms,
  rows: number,
  { service, expires }: DeviceFilter,
  nowMs: number
): Uint8Array | null {
  if (service === undefined && expires === undefined) return null
  const wanted = service === undefined ? -1 : DEVICE_SERVICES.indexOf(service)
  const marks = new Uint8Array(rows)
  for (let at = 0; at < rowOf.length; at += 1) {
    const term = { startMs: starts[at] as number, endMs: ends[at] as number }
    if (wanted >= 0 && services[at] !== wanted) continue
    if (expires === undefined ? isActive(term, nowMs) : expiresWithin(term, expires, nowMs))
      marks[rowOf[at] as number] = 1
  }
  return marks
}
