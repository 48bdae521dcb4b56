// Converts between instants and input values in a zone. A time that daylight saving skips moves forward by the skipped time.
import { dayStart, instantsAt, MONTHS, offsetText, wallDate } from '#shared/time/zones.ts'

/** The input value of an instant: "2026-03-01T14:05" in the zone's time. */
export function toInput(ms: number, zone: string): string {
  return wallDate(ms, zone).toISOString().slice(0, 16)
}

/**
 * The instant of an input value; null for an invalid day or time.
 * @param offset selects one of two instants with equal input values, such as "UTC+1"; the default is the first instant
 */
export function fromInput(text: string, zone: string, offset?: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null
  const wall = Date.parse(`${text}Z`)
  if (!(wall >= 0) || !new Date(wall).toISOString().startsWith(text)) return null
  const instants = instantsAt(wall, zone)
  return instants.find((ms) => offsetText(ms, zone) === offset) ?? instants[0]
}

const NAMED_DAY = /^(\d{1,2})[-/. ]+(\d{1,2}|[a-z]{3})[a-z]*[-/. ,]+(\d{4})$/i

/** "2026-03-01" for "2026-03-01", "1-Mar-2026", "1 March 2026", "01/03/2026" or "1.3.2026"; null for other texts. */
export function parseDay(text: string): string | null {
  const input = text.trim()
  const [, day = '', month = '', year = ''] = NAMED_DAY.exec(input) ?? []
  const monthNumber = MONTHS.findIndex((name) => name.toLowerCase() === month.toLowerCase()) + 1
  const iso = year
    ? [year, monthNumber || month, day].map((part) => String(part).padStart(2, '0')).join('-')
    : input
  return fromInput(`${iso}T00:00`, 'UTC') === null ? null : iso
}

const MOMENT = /^(.+?)[T ,]+(\d{1,2}:\d\d(?::\d\d)?)(?: *\(?(UTC[^ )]*)\)?)?$/i

/** The instant of a day and time: "1-Mar-2026 9:05", "25-Oct-2026 02:30 (UTC+1)"; null for other texts. */
export function parseMoment(text: string, zone: string): number | null {
  const [, day = '', clock = '', offset = ''] = MOMENT.exec(text.trim()) ?? []
  const time = clock.replace(/^\d:/, '0$&')
  return fromInput(`${parseDay(day)}T${time}`, zone, offset.toUpperCase().replace('-', '−'))
}

/** The start of a day (YYYY-MM-DD), ISO 8601 UTC; empty for an invalid day. */
export function dayBegin(day: string, zone: string): string {
  const ms = fromInput(`${day}T00:00`, zone)
  return ms === null ? '' : new Date(ms).toISOString()
}

/** The day's last millisecond, ISO 8601 UTC. A day may have 23 or 25 hours. */
export function dayEnd(day: string, zone: string): string {
  const ms = fromInput(`${day}T00:00`, zone)
  return ms === null ? '' : new Date(dayStart(ms, zone, 1) - 1).toISOString()
}

/** The day of an instant: "2026-03-01". */
export function dayOf(iso: string, zone: string): string {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? '' : toInput(ms, zone).slice(0, 10)
}
