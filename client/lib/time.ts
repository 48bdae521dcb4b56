// Times as the person reads them: in one zone, chosen once for pickers, tables and axes alike (screens.md 0.6).
import { recall, remember } from './store.ts'

const STORED = 'portal.zone'
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const listeners = new Set<() => void>()
let chosen = recall<string>(STORED)

// Asking takes longer than drawing the time does. Whoever travels looks away from the page meanwhile.
let browsers: string | undefined
globalThis.document?.addEventListener('visibilitychange', () => {
  browsers = undefined
})

/** The IANA name of the browser's own zone. */
export function browserZone(): string {
  browsers ??= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return browsers
}

/** The zone that times show in: an IANA name, `UTC` among them. */
export function currentZone(): string {
  return chosen ?? browserZone()
}

/** Null follows the browser. An unknown name is not taken. */
export function chooseZone(zone: string | null): void {
  if (zone !== null && !isZone(zone)) return
  chosen = zone
  remember(STORED, zone)
  for (const listener of listeners) listener()
}

export function followZone(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

export interface WallTime {
  year: number
  /** From 1. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What a clock on a wall in the zone says. */
export function wallTime(ms: number, zone = currentZone()): WallTime {
  const day = Math.floor(ms / DAY_MS)
  const ahead = aheadAtStart(day, zone)
  const wall = new Date(ms + (ahead === aheadAtStart(day + 1, zone) ? ahead : aheadAt(ms, zone)))
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds()
  }
}

const DAY_MS = 86_400_000
// Asking takes a hundred times as long as reckoning: it is done once for each day that shows.
const aheads = new Map<string, number>()

/** How far the zone's clocks are ahead of UTC where a day of UTC begins. */
function aheadAtStart(day: number, zone: string): number {
  const key = day + zone
  const ahead = aheads.get(key) ?? aheadAt(day * DAY_MS, zone)
  aheads.set(key, ahead)
  return ahead
}

function aheadAt(ms: number, zone: string): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric'
    })
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day, hour, minute, second } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
}

export const two = (value: number) => String(value).padStart(2, '0')

/** DD-MMM-YYYY (§9). Words that are no time come back as they are. */
export function formatDay(iso: string, zone = currentZone()): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  return dayOf(wallTime(ms, zone))
}

const dayOf = ({ year, month, day }: WallTime) => `${two(day)}-${MONTHS[month - 1]}-${year}`

/** DD-MMM-YYYY HH:mm (screens.md T5). */
export function formatMoment(iso: string, zone = currentZone()): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  const wall = wallTime(ms, zone)
  return `${dayOf(wall)} ${two(wall.hour)}:${two(wall.minute)}`
}

const STEPS: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "3 days ago", "in 2 hours", "now". */
export function formatAgo(iso: string, nowMs: number): string {
  const distance = Date.parse(iso) - nowMs
  if (Number.isNaN(distance)) return iso
  const [unit, size] = STEPS.find(([, ms]) => Math.abs(distance) >= ms) ?? [
    'second',
    Number.POSITIVE_INFINITY
  ]
  return size === Number.POSITIVE_INFINITY ? 'now' : relative.format(Math.trunc(distance / size), unit)
}
