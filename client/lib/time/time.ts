// Formats times. Pickers, tables and axes use the same zone.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { dayText, isZone, secondText, twoDigits, wallDate } from '#shared/time/zones.ts'
import { recall, remember } from '../storage.ts'

const STORAGE_KEY = 'portal.zone'
const zoneStore = createStore(() => ({ zone: recall<string>(STORAGE_KEY) }))

// Reading the browser's zone is slow, so the zone is read again only after the page was hidden.
let ownZone: string | undefined
globalThis.document?.addEventListener('visibilitychange', () => {
  ownZone = undefined
})

/** The IANA name of the browser's own zone. */
export function browserZone(): string {
  ownZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone
  return ownZone
}

/** The zone of all times: an IANA name or `UTC`. */
export function currentZone(): string {
  return zoneStore.getState().zone ?? browserZone()
}

export function useZone(): string {
  return useStore(zoneStore, ({ zone }) => zone) ?? browserZone()
}

/** Null selects the browser's own zone. Ignores an unknown name. */
export function chooseZone(zone: string | null): void {
  if (zone !== null && !isZone(zone)) return
  zoneStore.setState({ zone })
  remember(STORAGE_KEY, zone)
}

/** Formats a time; returns other texts unchanged. */
function inZone(time: string | number, zone: string, textOf: (wall: Date) => string): string {
  const ms = typeof time === 'number' ? time : Date.parse(time)
  return Number.isNaN(ms) ? String(time) : textOf(wallDate(ms, zone))
}

const clockText = (wall: Date) => wall.toISOString().slice(11, 16)

export function formatDay(time: string | number, zone = currentZone()): string {
  return inZone(time, zone, dayText)
}

export function formatMoment(time: string | number, zone = currentZone()): string {
  return inZone(time, zone, (wall) => `${dayText(wall)} ${clockText(wall)}`)
}

export function formatSecond(time: string | number, zone = currentZone()): string {
  return inZone(time, zone, secondText)
}

/** HH:mm, and the day if it is not today. */
export function formatClock(ms: number, nowMs: number, zone = currentZone()): string {
  const clock = inZone(ms, zone, clockText)
  const day = formatDay(ms, zone)
  return day === formatDay(nowMs, zone) ? clock : `${clock} on ${day}`
}

export function formatNotificationTime(iso: string, zone = currentZone()): string {
  return inZone(iso, zone, (wall) => {
    const [hour, month] = [wall.getUTCHours(), wall.getUTCMonth() + 1]
    const clock = `${twoDigits(hour % 12 || 12)}${wall.toISOString().slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`
    return `${twoDigits(wall.getUTCDate())}/${twoDigits(month)}/${wall.getUTCFullYear()} ${clock}`
  })
}

const AGES: [limitMs: number, unit: string, ms: number][] = [
  [90_000, 's', 1000],
  [5_400_000, 'min', 60_000],
  [129_600_000, 'h', 3_600_000],
  [Number.POSITIVE_INFINITY, 'days', 86_400_000]
]

/** The age of a value: "12 s", "5 min". Reports a time in the future as a device clock that is ahead. */
export function ageText(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso)
  const age = AGES.find(([limitMs]) => Math.abs(ms) < limitMs)
  if (!age) return ''
  const text = `${Math.round(Math.abs(ms) / age[2])} ${age[1]}`
  if (ms < -60_000) return `device clock ${text} ahead`
  return ms < 0 ? '0 s' : text
}

/** "now", "5 min ago", "3 h ago", "2 days ago". */
export function shortAgo(iso: string, nowMs: number): string {
  const ms = nowMs - Date.parse(iso)
  if (ms < -60_000) return ageText(iso, nowMs)
  return ms < 60_000 ? 'now' : `${ageText(iso, nowMs)} ago`
}
