// Fetches each part of a customer's counts from its upstream.
import { BACKUP_DUE_DAYS } from '#shared/limits.ts'
import { Problem } from '../../errors.ts'
import { fetchDueServices } from '../../inventory/fetch.ts'
import type { InventoryWorker } from '../../inventory/worker-client.ts'
import type { Clock } from '../../types.ts'
import { fetchSavedDevices } from '../../upstreams/backups.ts'
import type { CustomerSource, UpstreamClient } from '../../upstreams/client.ts'
import { fetchUsage } from '../../upstreams/usage.ts'
import type { Viewer } from '../../upstreams/visibility.ts'
import { usageOf, usagePeriod } from '../../usage-metrics.ts'
import { nextPlans, type Part, type PlanRead, plansOf, type Readings } from './readings.ts'
import type { Throttle } from './throttle.ts'

export interface ReaderServices {
  client: UpstreamClient
  worker: InventoryWorker
  clock: Clock
  /** Called when counts of a customer may have changed. */
  onCount: (customerId: string) => void
}

interface Source extends ReaderServices, CustomerSource {
  bearer: Viewer
  throttle: Throttle
}

/** Fetches a part and returns the changed readings. Throws the upstream's problem. */
type Reader = (source: Source, previous: Readings) => Promise<Partial<Readings>>

const DAY_MS = 86_400_000
/**
 * Number of customers whose part is fetched in parallel: few, because the parts also run in parallel and other callers need
 * the gateway. For plans, two customers use all calls of a visibility, so that the plans of few customers are incomplete.
 */
export const JOBS: Record<Part, number> = { services: 4, backups: 4, plans: 2 }

/** Number of plans that a job fetches. Two jobs keep a quarter of the default connections busy. */
const PLANS_PER_JOB = 16

export const READERS: Record<Part, Reader> = {
  /** Makes one call for the subscriptions, and one per 1,000 devices. */
  async services(source, previous) {
    const readAt = source.clock()
    const { customerId, bearer } = source
    const { plans, ...services } = await source.throttle((signal) =>
      fetchDueServices(source, customerId, bearer, readAt, signal)
    )
    return { services: { ...services, readAt }, ...plansOf(previous, plans) }
  },

  /** Makes one call per 500 backups of the last 30 days, or none if no device has Recover. */
  async backups(source, { services }) {
    const readAt = source.clock()
    const recover = services?.recover ?? []
    if (recover.length === 0) return { backups: { missing: 0, readAt } }
    const since = readAt - BACKUP_DUE_DAYS * DAY_MS
    const saved = await source.throttle((signal) => fetchSavedDevices({ ...source, signal }, since))
    return { backups: { missing: recover.filter((uuid) => !saved.has(uuid)).length, readAt } }
  },

  /** Makes one call per plan. If a call fails, keeps the results of the other calls. */
  async plans(source, previous) {
    const plans = nextPlans(previous, PLANS_PER_JOB)
    const results = await Promise.allSettled(
      plans.map((plan) => source.throttle((signal) => readPlan({ ...source, signal }, plan)))
    )
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) throw failure.reason
    return {}
  }
}

/** Fetches the usage of a plan and adds it to `entry`. A device that the upstream does not know has no usage. */
async function readPlan({ client, clock, bearer, signal }: Source, entry: PlanRead): Promise<void> {
  const { deviceId, subscription } = entry.plan
  const nowMs = clock()
  const period = usagePeriod(subscription.startDate, nowMs)
  const points = await fetchUsage(client, deviceId, period, bearer, signal).catch((error) => {
    if (error instanceof Problem && error.options.upstreamStatus === 404) return []
    throw error
  })
  const { level, percent } = usageOf(subscription, points, nowMs)
  Object.assign(entry, { level, percent, readAt: nowMs } satisfies Partial<PlanRead>)
}
