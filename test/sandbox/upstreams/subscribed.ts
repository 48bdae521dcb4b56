// The devices of a customer with a subscription to a service. Expired subscriptions count, because the data remain.
import type { OfferingCode } from '#shared/devices.ts'
import type { SubscriptionRecord } from '../records/sites.ts'
import type { State } from '../state.ts'

// Lists of subscriptions are replaced, never changed, so results can be cached by list.
const cache = new WeakMap<SubscriptionRecord[], Map<OfferingCode, Set<string>>>()

export function withService(state: State, customerId: string, offering: OfferingCode): Set<string> {
  const list = state.subscriptions.get(customerId)
  if (!list) return new Set()
  const byOffering = cache.get(list) ?? new Map<OfferingCode, Set<string>>()
  cache.set(list, byOffering)
  const deviceUuids =
    byOffering.get(offering) ??
    new Set(list.filter(({ offeringCode }) => offeringCode === offering).map(({ deviceUuid }) => deviceUuid))
  byOffering.set(offering, deviceUuids)
  return deviceUuids
}
