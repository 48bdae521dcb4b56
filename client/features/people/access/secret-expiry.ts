import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import { dayStart } from '#shared/time/zones.ts'
import { dayEnd, toInput } from '../../../lib/time/calendar.ts'
import { currentZone } from '../../../lib/time/time.ts'

const DAY_MS = 86_400_000

export type SecretState = 'none' | 'expired' | 'soon' | 'active'

interface SecretExpiry {
  state: SecretState
  /** Days until the expiry, rounded up; 0 for an expired or missing secret. */
  days: number
  level: 'danger' | 'warn' | 'ok' | 'plain'
}

/** @param iso the time when the secret expires; null without a secret */
export function secretExpiry(iso: string | null, nowMs: number): SecretExpiry {
  if (iso === null) return { state: 'none', days: 0, level: 'plain' }
  const leftMs = Date.parse(iso) - nowMs
  if (!(leftMs > 0)) return { state: 'expired', days: 0, level: 'danger' }
  const days = Math.ceil(leftMs / DAY_MS)
  if (days <= EXPIRY_DANGER_DAYS) return { state: 'soon', days, level: 'danger' }
  return days <= EXPIRY_WARNING_DAYS
    ? { state: 'soon', days, level: 'warn' }
    : { state: 'active', days, level: 'ok' }
}

export const SECRET_PRESETS = [30, 90, 180, 365] as const

/** The date in `days` days as YYYY-MM-DD, in the display zone. */
export function dayAfter(days: number, nowMs: number): string {
  return toInput(dayStart(nowMs, currentZone(), days), currentZone()).slice(0, 10)
}

/** The last second of a day in the display zone; null for an invalid date. */
export function endOfDay(day: string): string | null {
  const end = Date.parse(dayEnd(day, currentZone()))
  return Number.isNaN(end) ? null : new Date(Math.floor(end / 1000) * 1000).toISOString()
}

/** Why a secret cannot expire on a day; null if it can. */
export function dayRefusal(day: string, nowMs: number): string | null {
  const end = endOfDay(day)
  if (end === null) return 'Choose a date'
  return Date.parse(end) <= nowMs ? 'Choose a future date' : null
}
