// The usage metrics of a device (§9): its data-services subscription, and what the upstream has counted.
import type { Device, Missing, Subscription } from '#shared/entities.ts'
import { type Usage, usageOf, usagePeriod } from '#shared/usage.ts'
import { Problem, problems } from '../errors.ts'
import type { Bearer } from '../upstreams/bodies.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchUsage } from '../upstreams/usage.ts'

interface Asked {
  client: UpstreamClient
  bearer: Bearer
  signal: AbortSignal
  nowMs: number
}

/**
 * Throws a 404 problem when the device has no such subscription, and a 503 problem when subscriptions are `missing`: then
 * nobody knows.
 */
export async function usageFor(
  device: Device,
  missing: readonly Missing[],
  { client, bearer, signal, nowMs }: Asked
): Promise<Usage> {
  const plan = latest(device.subscriptions.filter(({ offeringCode }) => offeringCode === 'NDS'))
  if (plan === undefined && missing.includes('subscriptions'))
    throw new Problem(503, 'upstream_unavailable', { retryAfterSeconds: 2 })
  if (plan === undefined) throw problems.notFound('This device has no data-services subscription.')
  const period = usagePeriod(plan.startDate, nowMs)
  return usageOf(plan, await fetchUsage(client, device.id, period, bearer, signal), nowMs)
}

/** Of several in turn, the one that ends last. */
function latest(subscriptions: readonly Subscription[]): Subscription | undefined {
  const endOf = ({ endDate }: Subscription) => Date.parse(endDate) || 0
  return [...subscriptions].sort((a, b) => endOf(b) - endOf(a))[0]
}
