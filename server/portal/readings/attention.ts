// Fetches the counts of the start page in the background, with the token of the latest caller, for all callers of the same
// visibility. Stops a minute after the last call.
import { LRUCache } from 'lru-cache'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS } from '#shared/attention.ts'
import type { Caller, Notes } from '../../types.ts'
import { visibilityOf } from '../../upstreams/visibility.ts'
import { countsOf, withLast } from '../attention/counts.ts'
import { JOBS, type ReaderServices } from './readers.ts'
import { type CustomerKinds, nextCustomer, PART_NAMES, type Part, type Readings } from './readings.ts'
import { createReadingsCache, type Viewing } from './readings-cache.ts'
import { createStoredCounts } from './stored-counts.ts'
import type { AlarmWatch } from './watch.ts'

/** How long counts are fetched after a call. */
const RUN_MS = 60_000
/** How often counts are stored while they are fetched. */
const STORE_EVERY_MS = 10_000
const RUNS_MAX = 2_000

export type Attention = ReturnType<typeof createAttention>

interface Run extends Viewing {
  organizationId: string
  customers: readonly CustomerKinds[]
  /** Ids of customers that are fetched before the others. */
  first: ReadonlySet<string>
  askedAt: number
  notBefore: number
}

interface WatchOptions {
  /** Older counts are fetched again. */
  maxAgeMs?: number
  /** Ids of customers to fetch before the others. Without them, those of the previous call stay first. */
  first?: readonly string[] | undefined
}

interface Job {
  part: Part
  promise: Promise<void>
}

interface Services extends ReaderServices {
  notes: Notes
  /** Maximum number of connections to each API. */
  connections: number
  alarmWatch: Pick<AlarmWatch, 'stateOf'>
}

export function createAttention(services: Services) {
  const { clock, notes, alarmWatch } = services
  const readingsCache = createReadingsCache(services)
  const storedCounts = createStoredCounts(notes, clock)
  const runs = new LRUCache<string, Run>({ max: RUNS_MAX })

  async function fetchUntilIdle(name: string, run: Run): Promise<void> {
    /** Running jobs by customer: one at a time, because a job may need the result of the one before. */
    const jobs = new Map<string, Job>()
    let storedAt = clock()
    while (runs.peek(name) === run && clock() - run.askedAt <= RUN_MS) {
      const hasStarted = startJobs(run, jobs)
      if (!hasStarted && jobs.size === 0) break
      if (!hasStarted) await Promise.race([...jobs.values()].map(({ promise }) => promise))
      if (clock() - storedAt < STORE_EVERY_MS) continue
      storedAt = clock()
      await storeCounts(run)
    }
    await Promise.all([...jobs.values()].map(({ promise }) => promise))
    if (runs.peek(name) === run) runs.delete(name)
    await storeCounts(run)
  }

  /** Starts the next job of each part below its limit. Returns whether it started one. */
  function startJobs(run: Run, jobs: Map<string, Job>): boolean {
    const now = { nowMs: clock(), notBefore: run.notBefore }
    const customers = run.customers.map((customer) => ({
      ...customer,
      readings: readingsCache.peek(customer.customerId, run)
    }))
    let hasStarted = false
    for (const part of PART_NAMES) {
      const jobsOfPart = [...jobs.values()].filter((job) => job.part === part)
      if (jobsOfPart.length >= JOBS[part]) continue
      const idleCustomers = customers.filter(({ customerId }) => !jobs.has(customerId))
      const customerId = nextCustomer(part, idleCustomers, now, run.first)
      if (customerId === null) continue
      const promise = readingsCache.read(customerId, part, run).finally(() => jobs.delete(customerId))
      // `fetchUntilIdle` handles the first failure, which ends the run; ignore further ones.
      promise.catch(() => {})
      jobs.set(customerId, { part, promise })
      hasStarted = true
    }
    return hasStarted
  }

  /** Loads the counts that any replica has stored, for customers without readings. */
  async function loadStoredCounts(run: Run): Promise<void> {
    const customers = run.customers.filter(({ customerId }) => !readingsCache.peek(customerId, run))
    if (customers.length === 0) return
    const last = await storedCounts.read(run)
    for (const { customerId } of customers) readingsCache.setLast(customerId, run, last.get(customerId))
  }

  async function storeCounts(run: Run): Promise<void> {
    const counts = new Map<string, CustomerAttention['counts']>()
    for (const { customerId } of run.customers) {
      const readings = readingsCache.shared(customerId, run)
      const alarms = alarmWatch.stateOf(customerId, run.viewer)
      const { counts: known } = countsOf(readings, alarms, ATTENTION_KINDS)
      if (readings || alarms.reading) counts.set(customerId, withLast(known, readings?.last))
    }
    await storedCounts.write(run, counts)
  }

  return {
    /**
     * Starts to fetch missing and old counts. Resolves when the stored counts are loaded.
     * @param organizationId the integrator of the customers
     */
    async watch(
      organizationId: string,
      caller: Caller,
      customers: readonly CustomerKinds[],
      { maxAgeMs = Number.POSITIVE_INFINITY, first }: WatchOptions = {}
    ): Promise<void> {
      const visibility = visibilityOf(caller)
      const name = `${organizationId} ${visibility}`
      const askedAt = clock()
      const notBefore = askedAt - maxAgeMs
      const running = runs.get(name)
      // Leave out the trace: the caller's request ends before the fetches do.
      const { trace: _, ...viewer } = caller
      const latest = { viewer, customers, askedAt, ...(first && { first: new Set(first) }) }
      if (running) {
        Object.assign(running, latest, { notBefore: Math.max(running.notBefore, notBefore) })
        return
      }
      const run: Run = { first: new Set(), ...latest, organizationId, visibility, notBefore }
      runs.set(name, run)
      await loadStoredCounts(run)
      fetchUntilIdle(name, run).catch(() => {
        if (runs.peek(name) === run) runs.delete(name)
      })
    },
    /** Returns a function that finds the readings of a customer for this viewer, if any. */
    readingsFor(viewer: Caller) {
      const viewing = { viewer, visibility: visibilityOf(viewer) }
      return (customerId: string): Readings | undefined => readingsCache.get(customerId, viewing)
    },
    changed: readingsCache.changed,
    close: readingsCache.close
  }
}
