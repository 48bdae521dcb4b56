// Times as some places tell them: beside a chart, in the notifications, at a live value.
import { currentZone, formatDay, two, wallTime } from './time.ts'

/** HH:mm; with its day where that is another one than `nowMs` has. */
export function formatClock(ms: number, nowMs: number, zone = currentZone()): string {
  const { hour, minute } = wallTime(ms, zone)
  const clock = `${two(hour)}:${two(minute)}`
  const day = formatDay(new Date(ms).toISOString(), zone)
  return day === formatDay(new Date(nowMs).toISOString(), zone) ? clock : `${clock} on ${day}`
}

/** DD/MM/YYYY hh:mm:ss A (§9, screens.md T5): the list of notifications. */
export function formatNotificationTime(iso: string, zone = currentZone()): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  const { year, month, day, hour, minute, second } = wallTime(ms, zone)
  const clock = `${two(hour % 12 || 12)}:${two(minute)}:${two(second)} ${hour < 12 ? 'AM' : 'PM'}`
  return `${two(day)}/${two(month)}/${year} ${clock}`
}

/** How old a value is: "12 s", "5 min"; a time to come tells of a clock that is ahead. */
export function ageText(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso)
  if (Number.isNaN(ms)) return ''
  const size = Math.abs(ms)
  const [unit, unitMs] =
    size < 90_000
      ? ['s', 1000]
      : size < 5_400_000
        ? ['min', 60_000]
        : size < 129_600_000
          ? ['h', 3_600_000]
          : ['days', 86_400_000]
  const words = `${Math.round(size / Number(unitMs))} ${unit}`
  if (ms < -60_000) return `device clock ${words} ahead`
  return ms < 0 ? '0 s' : words
}
