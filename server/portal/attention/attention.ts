// Fetches the counts of the start page in the background, with the token of the latest caller, for all callers of the same
// visibility. Stops a minute after the last call.
import { LRUCache } from 'lru-cache'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS } from '#shared/attention.ts'
import type { Caller, Notes } from '../../types.ts'
import { visibilityOf } from '../../upstreams/visibility.ts'
import { countsOf, withLast } from './counts.ts'
import { createKeptReadings, type Seen } from './kept.ts'
import { JOBS, type ReaderServices } from './readers.ts'
import { nextCustomer, PART_NAMES, type Part, type Readings, type Watched } from './readings.ts'
import { createStoredCounts } from './stored-counts.ts'

/** How long counts are fetched after a call. */
const ASKED_MS = 60_000
/** How often counts are stored while they are fetched. */
const REMEMBERED_EVERY_MS = 10_000
const ROUNDS_MAX = 2_000

export type Attention = ReturnType<typeof createAttention>

interface Round extends Seen {
  organizationId: string
  customers: readonly Watched[]
  askedAt: number
  notBefore: number
}

interface Job {
  part: Part
  promise: Promise<void>
}

export function createAttention(services: ReaderServices & { notes: Notes }) {
  const { clock, notes } = services
  const readingsCache = createKeptReadings(services)
  const storedCounts = createStoredCounts(notes, clock)
  const rounds = new LRUCache<string, Round>({ max: ROUNDS_MAX })

  async function run(name: string, round: Round): Promise<void> {
    /** Running jobs by customer: one at a time, because a job may need the result of the one before. */
    const jobs = new Map<string, Job>()
    let rememberedAt = clock()
    while (rounds.peek(name) === round && clock() - round.askedAt <= ASKED_MS) {
      const hasStarted = begin(round, jobs)
      if (!hasStarted && jobs.size === 0) break
      if (!hasStarted) await Promise.race([...jobs.values()].map(({ promise }) => promise))
      if (clock() - rememberedAt < REMEMBERED_EVERY_MS) continue
      rememberedAt = clock()
      await remember(round)
    }
    await Promise.all([...jobs.values()].map(({ promise }) => promise))
    if (rounds.peek(name) === round) rounds.delete(name)
    await remember(round)
  }

  /** Starts the next job of each part below its limit. Returns whether it started one. */
  function begin(round: Round, jobs: Map<string, Job>): boolean {
    const now = { nowMs: clock(), notBefore: round.notBefore }
    const customers = round.customers.map((customer) => ({
      ...customer,
      readings: readingsCache.peek(customer.customerId, round)
    }))
    let hasStarted = false
    for (const part of PART_NAMES) {
      const jobsOfPart = [...jobs.values()].filter((job) => job.part === part)
      if (jobsOfPart.length >= JOBS[part]) continue
      const idleCustomers = customers.filter(({ customerId }) => !jobs.has(customerId))
      const customerId = nextCustomer(part, idleCustomers, now)
      if (customerId === null) continue
      const promise = readingsCache.read(customerId, part, round).finally(() => jobs.delete(customerId))
      // `run` handles the first failure, which ends the round; ignore further ones.
      promise.catch(() => {})
      jobs.set(customerId, { part, promise })
      hasStarted = true
    }
    return hasStarted
  }

  /** Loads the counts that any replica has stored, for customers without readings. */
  async function takeLast(round: Round): Promise<void> {
    const customers = round.customers.filter(({ customerId }) => !readingsCache.peek(customerId, round))
    if (customers.length === 0) return
    const last = await storedCounts.read(round)
    for (const { customerId } of customers) readingsCache.setLast(customerId, round, last.get(customerId))
  }

  async function remember(round: Round): Promise<void> {
    const counts = new Map<string, CustomerAttention['counts']>()
    for (const { customerId } of round.customers) {
      const readings = readingsCache.shared(customerId, round)
      if (readings)
        counts.set(customerId, withLast(countsOf(readings, ATTENTION_KINDS).counts, readings.last))
    }
    await storedCounts.write(round, counts)
  }

  return {
    /**
     * Starts to fetch missing and old counts. Resolves when the stored counts are loaded.
     * @param organizationId the integrator of the customers
     * @param maxAgeMs older counts are fetched again
     */
    async watch(
      organizationId: string,
      caller: Caller,
      customers: readonly Watched[],
      maxAgeMs = Number.POSITIVE_INFINITY
    ): Promise<void> {
      const visibility = visibilityOf(caller)
      const name = `${organizationId} ${visibility}`
      const askedAt = clock()
      const notBefore = askedAt - maxAgeMs
      const running = rounds.get(name)
      // Leave out the trace: the caller's request ends before the fetches do.
      const { trace: _, ...viewer } = caller
      const latest = { viewer, customers, askedAt }
      if (running) {
        Object.assign(running, latest, { notBefore: Math.max(running.notBefore, notBefore) })
        return
      }
      const round: Round = { ...latest, organizationId, visibility, notBefore }
      rounds.set(name, round)
      await takeLast(round)
      run(name, round).catch(() => {
        if (rounds.peek(name) === round) rounds.delete(name)
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
