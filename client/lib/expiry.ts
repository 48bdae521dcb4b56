// Which subscriptions count, and the badge of the one that ends first (§9).
import type { Subscription } from '#shared/entities.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'

const DAY_MS = 86_400_000

export function isActive(subscription: Subscription, nowMs: number): boolean {
  return Date.parse(subscription.startDate) <= nowMs && nowMs < Date.parse(subscription.endDate)
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
