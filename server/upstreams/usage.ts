// `/api/v1/subscription-usage`: the amount of data that a device has sent.
import { type UsagePeriod, type UsagePoint, usagePoints } from '#shared/usage.ts'
import { problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from './client.ts'

const DURATIONS: Record<UsagePeriod, string> = { Monthly: 'MONTHLY', Yearly: 'YEARLY' }

/** The data that the device has sent in the period, by time. Throws a 502 problem if the answer is not a map. */
export async function fetchUsage(
  client: UpstreamClient,
  deviceId: string,
  period: UsagePeriod,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<UsagePoint[]> {
  const query = new URLSearchParams({
    deviceId,
    duration: DURATIONS[period],
    metricsId: 'DATA_USAGE',
    offeringCode: 'NDS'
  })
  const path = `/api/v1/subscription-usage/metrics-detail?${query}`
  const map = await client.get('SUBSCRIPTION_USAGE', path, bearer, signal)
  if (typeof map !== 'object' || map === null || Array.isArray(map)) throw problems.upstreamGarbled()
  return usagePoints(map)
}
