// The addresses of a device's service icons (.github/product.md#service-links), or why a service cannot be used.

import type { Device, Subscription } from '#shared/answers/customers.ts'
import { ENDED_DAYS, type OfferingCode } from '#shared/devices.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import type { Action } from '#shared/permissions.ts'
import { isActive as isActiveTerm } from '#shared/terms.ts'
import { SUBSCRIPTIONS_UNREAD } from '../../../../lib/messages.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatDay } from '../../../../lib/time/time.ts'

export type ServiceId = 'alarms' | 'data' | 'remote' | 'recover'

export type ServiceLink = ReturnType<typeof serviceLinks>[number]

export interface ServiceSetting {
  customerPath: string
  remoteUrl: string | null
  historyCharting: boolean
  nowMs: number
  /** Whether the person may perform an action at the customer's scope. */
  can: (action: Action) => boolean
}

const SERVICES = [
  { id: 'alarms', name: 'Alarms', offering: 'NDS', action: 'alarms:query' },
  { id: 'data', name: 'Data Services', offering: 'NDS', action: 'data:query' },
  { id: 'remote', name: 'Remote', offering: 'Remote', action: 'remote:connect' },
  { id: 'recover', name: 'Recover', offering: 'Recover', action: 'recover:view' }
] as const satisfies { id: ServiceId; name: string; offering: OfferingCode; action: Action }[]

export const OFFERING_NAMES: Record<string, string> = {
  NDS: 'Data Services',
  Remote: 'Remote',
  Recover: 'Recover'
}

/** A choice of a filter by days until the end of a service. */
export const endChoice = (days: number) => ({
  value: String(days),
  label: days === ENDED_DAYS ? 'Has ended' : `Ends within ${days} days`
})

/** If the service cannot be used, `href` is null and `reason` is set. If the service ends soon, `expiry` is set. */
export function serviceLinks(device: Device, setting: ServiceSetting) {
  return SERVICES.map(({ id, name, offering, action }) => {
    const allowed = setting.can(action)
    const address = addressOf(id, device, setting)
    const problem = areSubscriptionsUnread(device)
      ? SUBSCRIPTIONS_UNREAD
      : offeringProblem(device, offering, setting.nowMs)
    const reason = allowed
      ? (problem ?? (address === null ? 'Remote is not set up for this portal' : null))
      : 'Your role does not include this service'
    const expiry = soonestExpiry(
      device.subscriptions.filter(({ offeringCode }) => offeringCode === offering),
      setting.nowMs
    )
    return { id, name, href: reason === null ? address : null, external: id === 'remote', reason, expiry }
  })
}

function addressOf(id: ServiceId, device: Device, setting: ServiceSetting): string | null {
  const { customerPath, historyCharting } = setting
  if (id === 'alarms') return paths.deviceAlarms(customerPath, device.deviceUuid)
  if (id === 'recover') return paths.savedBackups(customerPath, device.deviceUuid)
  if (id === 'data')
    return (historyCharting ? paths.history : paths.dataService)(customerPath, device.deviceUuid)
  if (!setting.remoteUrl || !device.systemGuid) return null
  return `${setting.remoteUrl.replace(/\/$/, '')}/${encodeURIComponent(device.systemGuid)}`
}

/** Whether the device has no subscriptions only because the gateway could not read them. */
export function areSubscriptionsUnread({ partial = [] }: Device): boolean {
  return partial.includes('subscriptions')
}

/** Why a service is not active on the device; null if the service is active, or if nobody knows. */
export function offeringProblem(device: Device, offering: OfferingCode, nowMs: number): string | null {
  if (areSubscriptionsUnread(device)) return null
  const matching = device.subscriptions.filter((subscription) => subscription.offeringCode === offering)
  if (matching.some((subscription) => isActive(subscription, nowMs))) return null
  const endDates = matching
    .map((subscription) => subscription.endDate)
    .filter((end) => Date.parse(end) <= nowMs)
  const lastEnd = endDates.sort().at(-1)
  return lastEnd ? `Subscription ended ${formatDay(lastEnd)}` : `No ${OFFERING_NAMES[offering]} subscription`
}

const DAY_MS = 86_400_000

export function isActive({ startDate, endDate }: Subscription, nowMs: number): boolean {
  return isActiveTerm({ startMs: Date.parse(startDate), endMs: Date.parse(endDate) }, nowMs)
}

export interface Expiry {
  days: number
  level: 'danger' | 'warn'
  subscription: Subscription
}

/** The first active subscription to end, with the days left, rounded up; null if none ends within 30 days. */
export function soonestExpiry(subscriptions: readonly Subscription[], nowMs: number): Expiry | null {
  const [subscription] = subscriptions
    .filter((subscription) => isActive(subscription, nowMs))
    .sort((a, b) => Date.parse(a.endDate) - Date.parse(b.endDate))
  if (!subscription) return null
  const days = Math.ceil((Date.parse(subscription.endDate) - nowMs) / DAY_MS)
  if (days > EXPIRY_WARNING_DAYS) return null
  return { days, level: days <= EXPIRY_DANGER_DAYS ? 'danger' : 'warn', subscription }
}
