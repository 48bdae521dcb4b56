// The time range of a history: a named range that moves with the calendar, or a custom range.
import { TZDateMini } from '@date-fns/tz/date/mini'
import { addDays } from 'date-fns/addDays'
import { addMonths } from 'date-fns/addMonths'
import { differenceInCalendarMonths } from 'date-fns/differenceInCalendarMonths'
import { startOfDay } from 'date-fns/startOfDay'
import { startOfISOWeek } from 'date-fns/startOfISOWeek'
import { startOfMonth } from 'date-fns/startOfMonth'
import { startOfYear } from 'date-fns/startOfYear'
import { dayStart } from './calendar.ts'
import { formatMoment } from './time.ts'

/** From `fromMs` up to, not including, `toMs`. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

export const CUSTOM_RANGE = 'Custom Range'
export const DATE_FILTERS = [
  'Today',
  'Last 24 Hours',
  'Yesterday',
  'Week-To-Date',
  'Last 7 Days',
  'Month-To-Date',
  'Last Month',
  'Year-To-Date',
  CUSTOM_RANGE
] as const
export type DateFilter = (typeof DATE_FILTERS)[number]
export const DEFAULT_DATE_FILTER: DateFilter = 'Month-To-Date'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
export const RANGE_MAX_MS = 5 * 366 * DAY_MS

/** The filter of that name, ignoring case, spaces and hyphens; null for an unknown name. */
export function filterNamed(name: string): DateFilter | null {
  const normalize = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return DATE_FILTERS.find((filter) => normalize(filter) === normalize(name)) ?? null
}

export function rangeOf(
  filter: Exclude<DateFilter, typeof CUSTOM_RANGE>,
  nowMs: number,
  zone: string
): TimeRange {
  const now = new TZDateMini(nowMs, zone)
  const [from, to] = (
    {
      Today: [startOfDay(now), now],
      'Last 24 Hours': [nowMs - DAY_MS, now],
      Yesterday: [dayStart(nowMs, zone, -1), startOfDay(now)],
      'Week-To-Date': [startOfISOWeek(now), now],
      'Last 7 Days': [dayStart(nowMs, zone, -6), now],
      'Month-To-Date': [startOfMonth(now), now],
      'Last Month': [addMonths(startOfMonth(now), -1), startOfMonth(now)],
      'Year-To-Date': [startOfYear(now), now]
    } as const
  )[filter].map(Number) as [number, number]
  return { fromMs: from, toMs: Math.max(to, from + MINUTE_MS) }
}

/** Why a typed range is invalid; null if it is valid. */
export function rangeProblem(fromMs: number | null, toMs: number | null, nowMs: number): string | null {
  if (fromMs === null) return 'Enter the day and time at which it begins.'
  if (toMs === null) return 'Enter the day and time at which it ends.'
  if (fromMs >= toMs) return 'The range must end after it begins.'
  if (fromMs > nowMs) return 'The range lies in the future.'
  return toMs - fromMs > RANGE_MAX_MS ? 'The range is longer than five years.' : null
}

/** The previous or next range of the same kind: whole months stay whole months, and whole days whole days. */
export function shiftRange(range: TimeRange, direction: 1 | -1, zone: string): TimeRange {
  const [from, to] = [new TZDateMini(range.fromMs, zone), new TZDateMini(range.toMs, zone)]
  const length = range.toMs - range.fromMs
  const shiftBoth = (shift: (ms: number) => Date | number): TimeRange => ({
    fromMs: Number(shift(range.fromMs)),
    toMs: Number(shift(range.toMs))
  })
  const months = differenceInCalendarMonths(to, from)
  const wholeMonths = [from, to].every((time) => Number(startOfMonth(time)) === Number(time))
  if (wholeMonths && months > 0)
    return shiftBoth((ms) => addMonths(new TZDateMini(ms, zone), direction * months))
  const wholeDays = [from, to].every((time) => Number(startOfDay(time)) === Number(time))
  if (wholeDays) return shiftBoth((ms) => dayStart(ms, zone, direction * Math.round(length / DAY_MS)))
  return shiftBoth((ms) => ms + direction * length)
}

const STEP_BACK: Partial<Record<DateFilter, (from: Date) => Date>> = {
  Today: (from) => addDays(from, -1),
  'Week-To-Date': (from) => addDays(from, -7),
  'Last 7 Days': (from) => addDays(from, -7),
  'Month-To-Date': (from) => addMonths(from, -1),
  'Year-To-Date': (from) => addMonths(from, -12)
}

/** The period to compare with: the same part of the previous day, week, month or year. */
export function previousPeriod(filter: DateFilter, range: TimeRange, zone: string): TimeRange {
  const stepBack = STEP_BACK[filter]
  if (!stepBack) return shiftRange(range, -1, zone)
  const fromMs = stepBack(new TZDateMini(range.fromMs, zone)).getTime()
  return { fromMs, toMs: fromMs + range.toMs - range.fromMs }
}

/** "01-Jun-2026 00:00 to 30-Jun-2026 12:00". */
export function rangeText({ fromMs, toMs }: TimeRange, zone: string): string {
  return `${formatMoment(fromMs, zone)} to ${formatMoment(toMs, zone)}`
}
