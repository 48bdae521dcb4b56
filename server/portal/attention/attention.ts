// Reads the counts of the start page in the background, with the token of the latest caller, for all callers with the same
// visibility. Reading stops a minute after the last call.
import { LRUCache } from 'lru-cache'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS } from '#shared/attention.ts'
import type { Caller, Notes } from '../../types.ts'
import { visibilityOf } from '../../upstreams/visibility.ts'
import { countsOf, withLast } from './counts.ts'
import { createKeptReadings, type Seen } from './kept.ts'
import { JOBS, type ReaderServices } from './readers.ts'
import { nextCustomer, PART_NAMES, type Part, type Readings, type Watched } from './readings.ts'

/** How long reading continues after a call. */
const ASKED_MS = 60_000
/** How often counts are written to Redis while they are read. */
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
  done: Promise<void>
}

const noteOf = ({ organizationId, visibility }: Round) => `counts of ${organizationId} for ${visibility}`

export function createAttention(services: ReaderServices & { notes: Notes }) {
  const { clock, notes } = services
  const kept = createKeptReadings(services)
  const rounds = new LRUCache<string, Round>({ max: ROUNDS_MAX })

  async function run(name: string, round: Round): Promise<void> {
    /** One job per customer at a time, because they build on each other. */
    const underWay = new Map<string, Job>()
    let rememberedAt = clock()
    while (rounds.peek(name) === round && clock() - round.askedAt <= ASKED_MS) {
      const isBegun = begin(round, underWay)
      if (!isBegun && underWay.size === 0) break
      if (!isBegun) await Promise.race([...underWay.values()].map(({ done }) => done))
      if (clock() - rememberedAt < REMEMBERED_EVERY_MS) continue
      rememberedAt = clock()
      await remember(round)
    }
    await Promise.all([...underWay.values()].map(({ done }) => done))
    if (rounds.peek(name) === round) rounds.delete(name)
    await remember(round)
  }

  /** Starts the next job of each part below its limit. Returns whether it started one. */
  function begin(round: Round, underWay: Map<string, Job>): boolean {
    const now = { nowMs: clock(), notBefore: round.notBefore }
    const known = round.customers.map((one) => ({ ...one, readings: kept.peek(one.customerId, round) }))
    let isBegun = false
    for (const part of PART_NAMES) {
      const jobs = [...underWay.values()].filter((job) => job.part === part)
      if (jobs.length >= JOBS[part]) continue
      const idle = known.filter(({ customerId }) => !underWay.has(customerId))
      const customerId = nextCustomer(part, idle, now)
      if (customerId === null) continue
      const done = kept.read(customerId, part, round).finally(() => underWay.delete(customerId))
      // The first of several failures ends the round.
      done.catch(() => {})
      underWay.set(customerId, { part, done })
      isBegun = true
    }
    return isBegun
  }

  /** Loads the counts of any replica for customers without readings. */
  async function takeLast(round: Round): Promise<void> {
    const unknown = round.customers.filter(({ customerId }) => !kept.peek(customerId, round))
    if (unknown.length === 0) return
    const last = JSON.parse((await notes.read(noteOf(round))) ?? '{}')
    for (const { customerId } of unknown) kept.setLast(customerId, round, last[customerId])
  }

  async function remember(round: Round): Promise<void> {
    const counts: Record<string, CustomerAttention['counts']> = {}
    for (const { customerId } of round.customers) {
      const readings = kept.shared(customerId, round)
      if (readings) counts[customerId] = withLast(countsOf(readings, ATTENTION_KINDS).counts, readings.last)
    }
    await notes.write(noteOf(round), JSON.stringify(counts))
  }

  return {
    /**
     * Starts to read missing and old counts. Resolves once the stored counts are loaded.
     * @param organizationId the integrator of the customers
     * @param maxAgeMs older counts are read again
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
      const known = rounds.get(name)
      // Without the trace: the caller's request ends before.
      const { trace: _, ...viewer } = caller
      const wanted = { viewer, customers, askedAt }
      if (known) {
        Object.assign(known, wanted, { notBefore: Math.max(known.notBefore, notBefore) })
        return
      }
      const round: Round = { ...wanted, organizationId, visibility, notBefore }
      rounds.set(name, round)
      await takeLast(round)
      run(name, round).catch(() => {
        if (rounds.peek(name) === round) rounds.delete(name)
      })
    },
    /** The readings of customers that the viewer may see; undefined without any. */
    readingsFor(viewer: Caller) {
      const seen = { viewer, visibility: visibilityOf(viewer) }
      return (customerId: string): Readings | undefined => kept.get(customerId, seen)
    },
    changed: kept.changed,
    close: kept.close
  }
}
