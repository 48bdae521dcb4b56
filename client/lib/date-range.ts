// Which time a history shows (§4): a named range that moves with the calendar, or one of its own. All in one zone.
import { formatMoment, wallTime } from './time.ts'
import { addDays, addMonths, dayStart, instantOf, weekday } from './zoned-time.ts'

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
/** §4. */
export const DEFAULT_DATE_FILTER: DateFilter = 'Month-To-Date'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Longer asks a device for more than a chart can say. */
export const RANGE_MAX_MS = 5 * 366 * DAY_MS

/** The filter of that name, however it is written; null for a name that there is not. */
export function filterNamed(name: string): DateFilter | null {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return DATE_FILTERS.find((filter) => plain(filter) === plain(name)) ?? null
}

/** The time that a filter means now. A range of its own means what it says, not this. */
export function rangeOf(
  filter: Exclude<DateFilter, typeof CUSTOM_RANGE>,
  nowMs: number,
  zone: string
): TimeRange {
  const today = dayStart(nowMs, zone)
  const { year, month } = wallTime(nowMs, zone)
  const from = {
    Today: today,
    'Last 24 Hours': nowMs - DAY_MS,
    Yesterday: dayStart(nowMs, zone, -1),
    'Week-To-Date': dayStart(nowMs, zone, -weekday(nowMs, zone)),
    'Last 7 Days': dayStart(nowMs, zone, -6),
    'Month-To-Date': instantOf({ year, month, day: 1 }, zone),
    'Last Month': instantOf({ year, month: month - 1, day: 1 }, zone),
    'Year-To-Date': instantOf({ year, month: 1, day: 1 }, zone)
  }[filter]
  const to =
    filter === 'Yesterday'
      ? today
      : filter === 'Last Month'
        ? instantOf({ year, month, day: 1 }, zone)
        : nowMs
  return { fromMs: from, toMs: Math.max(to, from + MINUTE_MS) }
}

/** What is wrong with a range that somebody typed; null when it can be shown. */
export function rangeProblem(fromMs: number | null, toMs: number | null, nowMs: number): string | null {
  if (fromMs === null) return 'Enter the day and time that it begins.'
  if (toMs === null) return 'Enter the day and time that it ends.'
  if (fromMs >= toMs) return 'The range must end after it begins.'
  if (fromMs > nowMs) return 'The range lies in the future.'
  return toMs - fromMs > RANGE_MAX_MS ? 'The range is longer than five years.' : null
}

/** The range of the same kind before or after: whole months stay months, whole days stay days, whatever their length. */
export function shiftRange({ fromMs, toMs }: TimeRange, by: 1 | -1, zone: string): TimeRange {
  const months = wholeMonths(fromMs, toMs, zone)
  if (months > 0)
    return { fromMs: addMonths(fromMs, zone, by * months), toMs: addMonths(toMs, zone, by * months) }
  if (dayStart(fromMs, zone) === fromMs && dayStart(toMs, zone) === toMs) {
    const days = Math.round((toMs - fromMs) / DAY_MS)
    return { fromMs: addDays(fromMs, zone, by * days), toMs: addDays(toMs, zone, by * days) }
  }
  const length = toMs - fromMs
  return { fromMs: fromMs + by * length, toMs: toMs + by * length }
}

/** What a range is compared with: as much of the day, week, month or year before as has passed of this one. */
export function previousPeriod(filter: DateFilter, range: TimeRange, zone: string): TimeRange {
  const { fromMs, toMs } = range
  const length = toMs - fromMs
  const startingAt = (start: number) => ({ fromMs: start, toMs: start + length })
  if (filter === 'Today') return startingAt(addDays(fromMs, zone, -1))
  if (filter === 'Week-To-Date' || filter === 'Last 7 Days') return startingAt(addDays(fromMs, zone, -7))
  if (filter === 'Month-To-Date') return startingAt(addMonths(fromMs, zone, -1))
  if (filter === 'Year-To-Date') return startingAt(addMonths(fromMs, zone, -12))
  return shiftRange(range, -1, zone)
}

function wholeMonths(fromMs: number, toMs: number, zone: string): number {
  const [from, to] = [wallTime(fromMs, zone), wallTime(toMs, zone)]
  const atStart = [from, to].every(
    ({ day, hour, minute, second }) => day === 1 && hour + minute + second === 0
  )
  return atStart ? (to.year - from.year) * 12 + to.month - from.month : 0
}

/** "01-Jun-2026 00:00 to 30-Jun-2026 12:00". */
export function rangeText({ fromMs, toMs }: TimeRange, zone: string): string {
  const words = (ms: number) => formatMoment(new Date(ms).toISOString(), zone)
  return `${words(fromMs)} to ${words(toMs)}`
}
