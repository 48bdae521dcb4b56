// Whole days as `<input type="date">` has them, "2026-03-01", as instants of a zone (ISO 8601 UTC).
import { addDays, fromInput, toInput } from './zoned-time.ts'

/** Empty for what is no day. */
export function dayBegin(day: string, zone: string): string {
  const ms = fromInput(`${day}T00:00`, zone)
  return ms === null ? '' : new Date(ms).toISOString()
}

/** The day's last millisecond; a day may have 23 or 25 hours. */
export function dayEnd(day: string, zone: string): string {
  const ms = fromInput(`${day}T00:00`, zone)
  return ms === null ? '' : new Date(addDays(ms, zone, 1) - 1).toISOString()
}

/** The day that an instant falls on. */
export function dayOf(iso: string, zone: string): string {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? '' : toInput(ms, zone).slice(0, 10)
}
