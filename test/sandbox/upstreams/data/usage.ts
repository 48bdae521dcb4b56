// The data usage of a device since its subscription began: by day for 30 days, or by month for 12 months. The plan limit
// applies to the whole period.
import { oneOf } from '../../api/body.ts'
import type { Upstream } from '../../api/upstream.ts'
import type { SubscriptionRecord } from '../../records/sites.ts'
import { chance, seedOf } from '../../simulation/chance.ts'
import type { State } from '../../state.ts'
import { deviceOf } from '../management/devices.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const MONTHS = 12
const OFFERINGS = ['NDS', 'Remote', 'Recover'] as const
// Usage relative to the plan limit; each range applies to a fifth of the devices.
const USED_SHARES: [from: number, to: number][] = [
  [0.2, 0.7],
  [0.3, 0.75],
  [0.81, 0.99],
  [1.05, 1.6],
  [0.001, 0.01]
]

export const usage: Upstream = (api, state) => {
  api.get('/api/v1/subscription-usage/metrics-detail', async (request) => {
    const query = request.query as Record<string, unknown>
    const duration = oneOf(query, 'duration', ['MONTHLY', 'YEARLY'])
    oneOf(query, 'metricsId', ['DATA_USAGE'])
    const offeringCode = oneOf(query, 'offeringCode', OFFERINGS)
    const deviceId = oneOf(query, 'deviceId', typeof query.deviceId === 'string' ? [query.deviceId] : [])
    const device = deviceOf(state, deviceId)
    const subscription = state.subscriptions
      .get(device.customerId)
      ?.find(
        (subscription) =>
          subscription.deviceUuid === device.deviceUuid && subscription.offeringCode === offeringCode
      )
    if (!subscription?.planLimit) return {}
    const starts = duration === 'MONTHLY' ? lastDays(state) : lastMonths(state)
    return values(subscription, subscription.planLimit, starts, state.clock())
  })
}

function values(
  { deviceUuid, startDate }: SubscriptionRecord,
  planLimit: number,
  starts: number[],
  nowMs: number
): Record<string, number> {
  const seed = seedOf(deviceUuid)
  const [from, to] = USED_SHARES[seed % USED_SHARES.length] ?? [0, 1]
  const usedGigabytes = planLimit * (from + (to - from) * chance(seed, 1))
  const shares = starts.map((startMs) => share(seed, startMs, starts.length === DAYS))
  const total = shares.reduce((sum, share) => sum + share, 0)
  const entries = starts.map((startMs, index): [number, number] => [startMs, shares[index] as number])
  return Object.fromEntries(
    entries
      .filter((_, index) => (starts[index + 1] ?? nowMs) > Date.parse(startDate))
      .map(([startMs, part]) => [new Date(startMs).toISOString(), round((usedGigabytes * part) / total)])
  )
}

// Devices send less at weekends; the rest is random.
function share(seed: number, startMs: number, isDay: boolean): number {
  const isWeekend = isDay && [0, 6].includes(new Date(startMs).getUTCDay())
  return (isWeekend ? 0.7 : 1.05) * (0.85 + 0.3 * chance(seed, startMs / DAY_MS))
}

function round(gigabytes: number): number {
  return Math.round(gigabytes * 10_000) / 10_000
}

function lastDays(state: State): number[] {
  const today = Math.floor(state.clock() / DAY_MS) * DAY_MS
  return Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY_MS)
}

function lastMonths(state: State): number[] {
  const today = new Date(state.clock())
  return Array.from({ length: MONTHS }, (_, index) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (MONTHS - 1 - index), 1)
  )
}
