// The time range of a history: a named range that moves with the calendar, or a custom range. And the hours and days of a range.
import { dayStart, startOfDayAfter, wallDate } from './zones.ts'

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
const HOUR_MS = 3_600_000
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
  const today = dayStart(nowMs, zone)
  const month = startOfDayAfter(nowMs, zone, (day) => day.setUTCDate(1))
  const ranges = {
    Today: () => [today, nowMs],
    'Last 24 Hours': () => [nowMs - DAY_MS, nowMs],
    Yesterday: () => [dayStart(nowMs, zone, -1), today],
    // ISO weeks begin on Monday.
    'Week-To-Date': () => [
      startOfDayAfter(nowMs, zone, (day) => day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))),
      nowMs
    ],
    'Last 7 Days': () => [dayStart(nowMs, zone, -6), nowMs],
    'Month-To-Date': () => [month, nowMs],
    'Last Month': () => [
      startOfDayAfter(nowMs, zone, (day) => day.setUTCMonth(day.getUTCMonth() - 1, 1)),
      month
    ],
    'Year-To-Date': () => [startOfDayAfter(nowMs, zone, (day) => day.setUTCMonth(0, 1)), nowMs]
  } satisfies Record<typeof filter, () => [number, number]>
  const [fromMs, toMs] = ranges[filter]()
  return { fromMs, toMs: Math.max(toMs, fromMs + MINUTE_MS) }
}

/** The edges of round periods that cover a range: hours and days of the zone, weeks from Monday. */
export function edgesOf({ fromMs, toMs }: TimeRange, bucketMs: number, zone: string): number[] {
  const edges: number[] = []
  if (bucketMs < HOUR_MS) {
    for (let at = Math.floor(fromMs / bucketMs) * bucketMs; at < toMs + bucketMs; at += bucketMs)
      edges.push(at)
    return edges
  }
  const days = Math.max(1, bucketMs / DAY_MS)
  // Day 0 of the epoch was a Thursday; adding 3 counts from a Monday.
  const day = Math.floor(wallDate(fromMs, zone).getTime() / DAY_MS) + 3
  let start = dayStart(fromMs, zone, -(day % days))
  while (start < toMs) {
    const next = dayStart(start, zone, days)
    // Some days have 23 or 25 hours.
    for (let at = start; at < next && (at === start || next - at >= bucketMs / 2); at += bucketMs)
      edges.push(at)
    start = next
  }
  edges.push(start)
  const first = edges.findIndex((edge) => edge > fromMs) - 1
  return edges.slice(Math.max(first, 0), edges.findIndex((edge) => edge >= toMs) + 1)
}
