// What is read of each customer in the background: one row for each part, with how it is read. A new count or list over
// customers is a row here.
import { ATTENTION_FRESH_MS, type AttentionKind } from '#shared/attention.ts'
import { BACKUP_DUE_DAYS } from '#shared/limits.ts'
import { Problem } from '../../errors.ts'
import { fetchDueServices } from '../../inventory/fetch.ts'
import type { InventoryWorker } from '../../inventory/worker-client.ts'
import type { Change, Clock } from '../../types.ts'
import { fetchSavedDevices } from '../../upstreams/backups.ts'
import type { CustomerSource, UpstreamClient } from '../../upstreams/client.ts'
import { fetchUsage } from '../../upstreams/usage.ts'
import type { Viewer } from '../../upstreams/visibility.ts'
import { usageOf, usagePeriod } from '../../usage-metrics.ts'
import { readAlarms } from './alarm-reading.ts'
import { nextPlans, type PlanRead, plansOf, type Readings, withTotals } from './customer-readings.ts'
import type { Throttle } from './throttle.ts'

export type Part = 'alarms' | 'services' | 'backups' | 'plans'

export interface PartServices {
  client: UpstreamClient
  worker: InventoryWorker
  clock: Clock
}

interface Source extends PartServices, CustomerSource {
  bearer: Viewer
  /** Runs each call, or calls that belong together. */
  throttle: Throttle
}

interface PartRow {
  /** The counts that it provides. */
  kinds: readonly [AttentionKind, ...AttentionKind[]]
  /** A part whose data it needs. */
  needs?: Part
  /**
   * How long a reading is fresh. `live`: it is read again and again while somebody looks, every few seconds if the customer is
   * opened, and in turns with the others of a list.
   */
  freshMs: number | 'live'
  /** Changes after which it is read again first. */
  changesWith: readonly Change[]
  /**
   * Number of customers that are read in parallel: few, because the parts also run in parallel and other callers need the
   * gateway. For plans, two customers use all calls of a visibility, so that the plans of few customers are incomplete.
   */
  customersAtOnce: number
  /** Number of calls that one use of the throttle makes in parallel. */
  callsAtOnce: number
  /** Reads it and returns the changed readings. Throws the upstream's problem. */
  read(source: Source, previous: Readings): Promise<Partial<Readings>>
}

const DAY_MS = 86_400_000
/** Number of plans that a read fetches. Two reads keep a quarter of the default connections busy. */
const PLANS_PER_READ = 16

export const PARTS: Readonly<Record<Part, PartRow>> = {
  /** Makes two calls. */
  alarms: {
    kinds: ['alarms'],
    freshMs: 'live',
    changesWith: ['alarms'],
    customersAtOnce: 4,
    callsAtOnce: 2,
    async read({ throttle, clock, client, customerId, bearer }, { alarms }) {
      const { readAt, reading } = await throttle(async (signal) => ({
        readAt: clock(),
        reading: await readAlarms({ client, customerId, bearer, signal })
      }))
      const isUnchanged = reading.tag === alarms?.reading.tag && !alarms.reading.isOutdated
      return { alarms: { readAt, reading: isUnchanged ? alarms.reading : reading } }
    }
  },

  /** Makes one call for the subscriptions, and one per 1,000 devices. */
  services: {
    kinds: ['servicesEnded', 'servicesEnding'],
    freshMs: ATTENTION_FRESH_MS.servicesEnded,
    changesWith: ['inventory'],
    customersAtOnce: 4,
    callsAtOnce: 1,
    async read(source, previous) {
      const readAt = source.clock()
      const { customerId, bearer } = source
      const { plans, ...services } = await source.throttle((signal) =>
        fetchDueServices(source, customerId, bearer, readAt, signal)
      )
      const current = plansOf(previous, plans)
      const { planTotals } = withTotals({ ...previous, ...current })
      return { services: { ...services, readAt }, ...current, planTotals }
    }
  },

  /** Makes one call per 500 backups of the last 30 days, or none if no device has Recover. */
  backups: {
    kinds: ['withoutBackup'],
    needs: 'services',
    freshMs: ATTENTION_FRESH_MS.withoutBackup,
    changesWith: ['inventory'],
    customersAtOnce: 4,
    callsAtOnce: 1,
    async read(source, { services }) {
      const readAt = source.clock()
      const recover = services?.recover ?? []
      if (recover.length === 0) return { backups: { missing: 0, readAt } }
      const since = readAt - BACKUP_DUE_DAYS * DAY_MS
      const saved = await source.throttle((signal) => fetchSavedDevices({ ...source, signal }, since))
      return { backups: { missing: recover.filter((uuid) => !saved.has(uuid)).length, readAt } }
    }
  },

  /** Makes one call per plan. If a call fails, keeps the results of the other calls. */
  plans: {
    kinds: ['plansExceeded', 'plansWarning'],
    needs: 'services',
    freshMs: ATTENTION_FRESH_MS.plansExceeded,
    changesWith: [],
    customersAtOnce: 2,
    callsAtOnce: 1,
    async read(source, previous) {
      const plans = nextPlans(previous, PLANS_PER_READ)
      const results = await Promise.allSettled(
        plans.map((plan) => source.throttle((signal) => readPlan({ ...source, signal }, plan)))
      )
      const failure = results.find((result) => result.status === 'rejected')
      if (failure) throw failure.reason
      const { planTotals } = withTotals(previous)
      return { planTotals }
    }
  }
}

export const PART_NAMES = Object.keys(PARTS) as Part[]
/** The parts of the start page's counts that are read once in a while. */
export const COUNTED_PARTS = PART_NAMES.filter((part) => PARTS[part].freshMs !== 'live')

/** Reads the usage of a plan and adds it to `entry`. A device that the upstream does not know has no usage. */
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
