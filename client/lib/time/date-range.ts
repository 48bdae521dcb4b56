// Checks, shifts and names time ranges.
import { TZDateMini } from '@date-fns/tz/date/mini'
import { addDays } from 'date-fns/addDays'
import { addMonths } from 'date-fns/addMonths'
import { differenceInCalendarMonths } from 'date-fns/differenceInCalendarMonths'
import { startOfDay } from 'date-fns/startOfDay'
import { startOfMonth } from 'date-fns/startOfMonth'
import { type DateFilter, RANGE_MAX_MS, type TimeRange } from '#shared/time/date-ranges.ts'
import { dayStart } from '#shared/time/zones.ts'
import { formatMoment } from './time.ts'

const DAY_MS = 86_400_000

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
