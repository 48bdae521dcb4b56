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
  const terms = Array.from({ length: OTHER + 1 }, () => ({ rows: [], starts: [], ends: [] }) as Written)
  return {
    add(row, { offeringCode, startDate, endDate }) {
      const known = (DEVICE_SERVICES as readonly string[]).indexOf(offeringCode)
      const { rows, starts, ends } = terms[known < 0 ? OTHER : known] as Written
      rows.push(row)
      starts.push(Date.parse(startDate))
      ends.push(Date.parse(endDate))
    },
    finish(rows) {
      const byService = terms.map((one) => ({
        rows: Uint32Array.from(one.rows),
        starts: Float64Array.from(one.starts),
        ends: Float64Array.from(one.ends)
      }))
      return { having: (filter, nowMs) => having(byService, rows, filter, nowMs) }
    }
  }
}

type Written = Record<'rows' | 'starts' | 'ends', number[]>

interface Terms {
  rows: Uint32Array
  /** Milliseconds since 1970. */
  starts: Float64Array
  ends: Float64Array
}

function having(
  byService: readonly Terms[],
  count: number,
  { service, expires }: DeviceFilter,
  nowMs: number
): Uint8Array | null {
  if (service === undefined && expires === undefined) return null
  const at = service === undefined ? -1 : DEVICE_SERVICES.indexOf(service)
  const marks = new Uint8Array(count)
  for (const { rows, starts, ends } of at < 0 ? byService : byService.slice(at, at + 1))
    for (let index = 0; index < rows.length; index += 1) {
      const term = { startMs: starts[index] as number, endMs: ends[index] as number }
      const counts = expires === undefined ? isActive(term, nowMs) : expiresWithin(term, expires, nowMs)
      if (counts) marks[rows[index] as number] = 1
    }
  return marks
}
