// Which subscriptions count, and the badge of the one that ends first (§9).
import { isActive as isActiveTerm } from '#shared/devices.ts'
import type { Subscription } from '#shared/entities.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'

const DAY_MS = 86_400_000

export function isActive({ startDate, endDate }: Subscription, nowMs: number): boolean {
  return isActiveTerm({ startMs: Date.parse(startDate), endMs: Date.parse(endDate) }, nowMs)
}

export interface Expiry {
  days: number
  level: 'danger' | 'warn'
  subscription: Subscription
}

/** Whole days left, a day begun counting as one; null when nothing active ends within 30 days. */
export function soonestExpiry(subscriptions: readonly Subscription[], nowMs: number): Expiry | null {
  const [subscription] = subscriptions
    .filter((each) => isActive(each, nowMs))
    .sort((a, b) => Date.parse(a.endDate) - Date.parse(b.endDate))
  if (!subscription) return null
  const days = Math.ceil((Date.parse(subscription.endDate) - nowMs) / DAY_MS)
  if (days > EXPIRY_WARNING_DAYS) return null
  return { days, level: days <= EXPIRY_DANGER_DAYS ? 'danger' : 'warn', subscription }
}
