// Offsets of zones from UTC. They distinguish the two hours with equal clock times when clocks are set back.
import { tzOffset } from '@date-fns/tz/tzOffset'
import { formatMoment, formatSecond } from './time.ts'

const MINUTE_MS = 60_000
/** Maximum time by which clocks are set back. */
const SHIFT_MAX_MS = 3 * 3_600_000

const offsetOf = (ms: number, zone: string) => tzOffset(zone, new Date(ms))

/** "UTC+1", "UTC−3:30", "UTC". */
export function offsetText(ms: number, zone: string): string {
  const minutes = offsetOf(ms, zone)
  if (minutes === 0) return 'UTC'
  const [hours, restMinutes] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes > 0 ? '+' : '−'}${hours}${restMinutes === 0 ? '' : `:${String(restMinutes).padStart(2, '0')}`}`
}

/** Creating a format takes a millisecond. */
const nameFormats = new Map<string, Intl.DateTimeFormat>()

function nameFormatOf(zone: string): Intl.DateTimeFormat {
  const format =
    nameFormats.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' })
  nameFormats.set(zone, format)
  return format
}

/** "CET (UTC+1)": the name and the offset of the zone at that time. */
export function zoneText(ms: number, zone: string): string {
  const offset = offsetText(ms, zone)
  const parts = nameFormatOf(zone).formatToParts(ms)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return /^(GMT|UTC)/.test(name) && (offset !== 'UTC' || name === 'UTC') ? offset : `${name} (${offset})`
}

/** Whether the clock shows this time twice. */
export function isRepeated(ms: number, zone: string): boolean {
  const offset = offsetOf(ms, zone)
  return [-SHIFT_MAX_MS, SHIFT_MAX_MS].some((shiftMs) => {
    const otherOffset = offsetOf(ms + shiftMs, zone)
    const sameTimeMs = ms + (offset - otherOffset) * MINUTE_MS
    return otherOffset !== offset && offsetOf(sameTimeMs, zone) === otherOffset
  })
}

const withOffset = (text: string, ms: number, zone: string) =>
  isRepeated(ms, zone) ? `${text} (${offsetText(ms, zone)})` : text

/** DD-MMM-YYYY HH:mm, with the zone's offset if the clock shows that time twice. */
export function momentWithOffset(ms: number, zone: string): string {
  return withOffset(formatMoment(ms, zone), ms, zone)
}

/** DD-MMM-YYYY HH:mm:ss, with the zone's offset if the clock shows that time twice. */
export function secondWithOffset(ms: number, zone: string): string {
  return withOffset(formatSecond(ms, zone), ms, zone)
}

export function isUtc(zone: string): boolean {
  return /^(Etc\/)?(UTC|GMT|Universal|Zulu|UCT)$/.test(zone)
}
