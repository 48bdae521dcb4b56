// Moves ranges by whole months and days of a zone, and finds the period to compare a range with.
import { CUSTOM_RANGE, type DateFilter, type TimeRange } from './date-ranges.ts'
import { dayStart, instantsAt, wallDate } from './zones.ts'

const DAY_MS = 86_400_000

/** The same time of the day some months later; on the last day of a shorter month. */
function monthsAfter(ms: number, zone: string, months: number): number {
  const wall = wallDate(ms, zone)
  const day = wall.getUTCDate()
  wall.setUTCMonth(wall.getUTCMonth() + months + 1, 0)
  wall.setUTCDate(Math.min(day, wall.getUTCDate()))
  return instantsAt(wall.getTime(), zone)[0]
}

function daysAfter(ms: number, zone: string, days: number): number {
  const wall = wallDate(ms, zone)
  return instantsAt(wall.setUTCDate(wall.getUTCDate() + days), zone)[0]
}

const startsDay = (ms: number, zone: string) => dayStart(ms, zone) === ms
const startsMonth = (ms: number, zone: string) => startsDay(ms, zone) && wallDate(ms, zone).getUTCDate() === 1

function monthsIn({ fromMs, toMs }: TimeRange, zone: string): number {
  const [from, to] = [wallDate(fromMs, zone), wallDate(toMs, zone)]
  return 12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth()
}

/** The previous or next range of the same kind: whole months stay whole months, and whole days whole days. */
export function shiftRange(range: TimeRange, direction: 1 | -1, zone: string): TimeRange {
  const ends = [range.fromMs, range.toMs]
  const length = range.toMs - range.fromMs
  const shiftBoth = (shift: (ms: number) => number): TimeRange => ({
    fromMs: shift(range.fromMs),
    toMs: shift(range.toMs)
  })
  const months = monthsIn(range, zone)
  if (months > 0 && ends.every((ms) => startsMonth(ms, zone)))
    return shiftBoth((ms) => monthsAfter(ms, zone, direction * months))
  if (ends.every((ms) => startsDay(ms, zone)))
    return shiftBoth((ms) => dayStart(ms, zone, direction * Math.round(length / DAY_MS)))
  return shiftBoth((ms) => ms + direction * length)
}

const STEP_BACK: Partial<Record<DateFilter, (fromMs: number, zone: string) => number>> = {
  Today: (fromMs, zone) => daysAfter(fromMs, zone, -1),
  'Week-To-Date': (fromMs, zone) => daysAfter(fromMs, zone, -7),
  'Last 7 Days': (fromMs, zone) => daysAfter(fromMs, zone, -7),
  'Month-To-Date': (fromMs, zone) => monthsAfter(fromMs, zone, -1),
  'Year-To-Date': (fromMs, zone) => monthsAfter(fromMs, zone, -12)
}

/** The period to compare with: the same part of the previous day, week, month or year. It ends before the range begins. */
export function previousPeriod(filter: DateFilter, range: TimeRange, zone: string): TimeRange {
  const { fromMs, toMs } = range
  // A link names the times of a month to date.
  const isPartOfMonth = startsMonth(fromMs, zone) && monthsIn(range, zone) === 0 && !startsDay(toMs, zone)
  const stepBack = STEP_BACK[filter === CUSTOM_RANGE && isPartOfMonth ? 'Month-To-Date' : filter]
  if (!stepBack) return shiftRange(range, -1, zone)
  const startMs = stepBack(fromMs, zone)
  return { fromMs: startMs, toMs: Math.min(startMs + toMs - fromMs, fromMs) }
}

/** The same days of the year before. */
export function yearBefore({ fromMs, toMs }: TimeRange, zone: string): TimeRange {
  return { fromMs: monthsAfter(fromMs, zone, -12), toMs: monthsAfter(toMs, zone, -12) }
}
