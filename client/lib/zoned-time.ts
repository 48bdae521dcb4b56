// Wall clocks of a zone and instants, through changes of daylight saving: where a clock stands twice the first time is
// meant, and a time that it leaps over is as much later as it leaps (as Temporal's "compatible" does).
import { type WallTime, wallTime } from './time.ts'

const DAY_MS = 86_400_000

function utcOf({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** How far the zone's clock is ahead of UTC. */
export function offsetMsAt(ms: number, zone: string): number {
  const whole = Math.floor(ms / 1000) * 1000
  return utcOf(wallTime(whole, zone)) - whole
}

/** Days and months out of their bounds roll over, as `Date.UTC` has it. */
export function instantOf(
  wall: Partial<WallTime> & Pick<WallTime, 'year' | 'month' | 'day'>,
  zone: string
): number {
  const asUtc = utcOf({ hour: 0, minute: 0, second: 0, ...wall })
  const before = asUtc - offsetMsAt(asUtc - DAY_MS, zone)
  if (utcOf(wallTime(before, zone)) === asUtc) return before
  const after = asUtc - offsetMsAt(asUtc + DAY_MS, zone)
  return utcOf(wallTime(after, zone)) === asUtc ? after : before
}

/** The first moment of the day, so many days on. */
export function dayStart(ms: number, zone: string, days = 0): number {
  const { year, month, day } = wallTime(ms, zone)
  return instantOf({ year, month, day: day + days }, zone)
}

/** The same hour of the wall clock in another month; a day that it lacks becomes its last. */
export function addMonths(ms: number, zone: string, months: number): number {
  const wall = wallTime(ms, zone)
  const lastDay = new Date(Date.UTC(wall.year, wall.month - 1 + months + 1, 0)).getUTCDate()
  return instantOf({ ...wall, month: wall.month + months, day: Math.min(wall.day, lastDay) }, zone)
}

export function addDays(ms: number, zone: string, days: number): number {
  const wall = wallTime(ms, zone)
  return instantOf({ ...wall, day: wall.day + days }, zone)
}

/** 0 is Monday. */
export function weekday(ms: number, zone: string): number {
  return (new Date(utcOf(wallTime(ms, zone))).getUTCDay() + 6) % 7
}

const two = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** As `<input type="datetime-local">` has it: "2026-03-01T14:05". */
export function toInput(ms: number, zone: string): string {
  const { year, month, day, hour, minute } = wallTime(ms, zone)
  return `${two(year, 4)}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
}

/** Null for what is not a day and time of the calendar. */
export function fromInput(text: string, zone: string): number | null {
  const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? []
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) =>
    Number(part ?? 0)
  )
  if (parts.length === 0 || month < 1 || month > 12 || hour > 23 || minute > 59 || year < 1970) return null
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day < 1 || day > days) return null
  return instantOf({ year, month, day, hour, minute, second }, zone)
}
