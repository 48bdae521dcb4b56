// Times in a zone, an IANA name. A time that daylight saving skips moves forward by the skipped time.
import { tzOffset } from '@date-fns/tz/tzOffset'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Maximum time by which clocks are set back. */
const SHIFT_MAX_MS = 3 * 3_600_000
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

const offsetOf = (ms: number, zone: string) => tzOffset(zone, new Date(ms))

/** A date whose fields in UTC are those of the zone's wall clock. */
export function wallDate(ms: number, zone: string): Date {
  return new Date(ms + offsetOf(ms, zone) * MINUTE_MS)
}

export const twoDigits = (value: number) => String(value).padStart(2, '0')

export const dayText = (wall: Date) =>
  `${twoDigits(wall.getUTCDate())}-${MONTHS[wall.getUTCMonth()]}-${wall.getUTCFullYear()}`
export const secondText = (wall: Date) => `${dayText(wall)} ${wall.toISOString().slice(11, 19)}`

/** The start of the day that is `days` after the day of `ms`. */
export function dayStart(ms: number, zone: string, days = 0): number {
  return startOfDayAfter(ms, zone, (day) => day.setUTCDate(day.getUTCDate() + days))
}

/** The start of the day that `change` makes of the day of `ms`. The UTC fields of the date are those of the wall clock. */
export function startOfDayAfter(ms: number, zone: string, change: (day: Date) => void): number {
  const day = wallDate(ms, zone)
  change(day)
  day.setUTCHours(0, 0, 0, 0)
  return instantsAt(day.getTime(), zone)[0]
}

/** The instants at which the zone's clock shows the UTC fields of `wall`: two if the clock is set back. */
export function instantsAt(wall: number, zone: string): [number, ...number[]] {
  const withOldOffset = wall - offsetOf(wall - DAY_MS, zone) * MINUTE_MS
  const withNewOffset = wall - offsetOf(wall + DAY_MS, zone) * MINUTE_MS
  const [firstInstant = withOldOffset, ...otherInstants] = [withOldOffset, withNewOffset].filter(
    (ms) => wallDate(ms, zone).getTime() === wall
  )
  return [firstInstant, ...otherInstants]
}

/** "UTC+1", "UTC−3:30", "UTC". */
export function offsetText(ms: number, zone: string): string {
  const minutes = offsetOf(ms, zone)
  if (minutes === 0) return 'UTC'
  const [hours, restMinutes] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes > 0 ? '+' : '−'}${hours}${restMinutes === 0 ? '' : `:${String(restMinutes).padStart(2, '0')}`}`
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

/** The text, with the zone's offset if the clock shows that time twice. */
export function withOffset(text: string, ms: number, zone: string): string {
  return isRepeated(ms, zone) ? `${text} (${offsetText(ms, zone)})` : text
}

/** DD-MMM-YYYY HH:mm:ss, with the zone's offset if the clock shows that time twice. */
export function secondWithOffset(ms: number, zone: string): string {
  return withOffset(secondText(wallDate(ms, zone)), ms, zone)
}

export function isUtc(zone: string): boolean {
  return /^(Etc\/)?(UTC|GMT|Universal|Zulu|UCT)$/.test(zone)
}
