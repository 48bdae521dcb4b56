// Calls of `/api/v1/subscription-usage`: fetches how much data a device has sent.

import { problems } from '../errors.ts'
import { type UsagePeriod, type UsagePoint, usagePoints } from '../usage-metrics.ts'
import type { Bearer, UpstreamClient } from './client.ts'

const DURATIONS: Record<UsagePeriod, string> = { Monthly: 'MONTHLY', Yearly: 'YEARLY' }

/** Fetches how much data the device has sent in the period, by time. Throws a 502 problem if the answer is not an object. */
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
  const body = await client.get('SUBSCRIPTION_USAGE', path, bearer, signal)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw problems.upstreamGarbled()
  return usagePoints(body)
}
