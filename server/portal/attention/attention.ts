// Keeps the counts of the start page: read in the background, with the token of whoever asked last, for all who see the
// same. While nobody asks nothing is read; what is kept grows old, and says so.
import { LRUCache } from 'lru-cache'
import { ATTENTION_KINDS, type CustomerAttention } from '#shared/attention.ts'
import { Problem, problems } from '../../errors.ts'
import type { InventoryWorker } from '../../inventory/worker-client.ts'
import type { Caller, Clock, Notes } from '../../types.ts'
import type { UpstreamClient } from '../../upstreams/client.ts'
import { isOutage, isRefusal } from '../../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import { rolesChanged } from '../request.ts'
import { countsOf, withLast } from './counts.ts'
import { createThrottle, JOBS, READERS, type Throttle } from './readers.ts'
import {
  nextCustomer,
  noReadings,
  PART_NAMES,
  type Part,
  type Readings,
  type Watched,
  withoutPart,
  withTotals
} from './readings.ts'

/** Goes on reading for so long after somebody asked. */
const ASKED_MS = 60_000
/** While they are read, counts are remembered this often. */
const REMEMBERED_EVERY_MS = 10_000
/** What is kept: customers, each for one visibility, and with them the plans and devices that are remembered. */
const KEPT_MAX = 250_000
const ROUNDS_MAX = 2_000
/** Whoever met a failure that others need not meet shares nothing of that customer for so long. */
const APART_MS = 15 * 60_000
const APART_MAX = 10_000

export interface Attention {
  /**
   * Has the counts read of what is wanted, as far as they are missing or too old. Resolves at once, or when those that were
   * read before are there. @param organizationId whose customers they are
   */
  watch(
    organizationId: string,
    caller: Caller,
    customers: readonly Watched[],
    maxAgeMs?: number
  ): Promise<void>
  /** What is known of customers, as that viewer sees them; undefined while that is nothing. */
  readingsFor(viewer: Viewer): (customerId: string) => Readings | undefined
  /** Something of a customer has changed: it is read again, for every visibility. */
  changed(customerId: string): void
  close(): void
}

interface Services {
  client: UpstreamClient
  worker: InventoryWorker
  /** Names for what the worker holds. */
  nextId: () => number
  clock: Clock
  notes: Notes
}

/** By customer. */
type Counts = Record<string, CustomerAttention['counts']>

const noteOf = ({ organizationId, visibility }: Round) => `counts of ${organizationId} for ${visibility}`

/** By whom. */
interface Seen {
  visibility: string
  viewer: Viewer
}

interface Round extends Seen {
  organizationId: string
  /** Who asked last, with the roles that they had then. */
  viewer: Viewer & Pick<Caller, 'currentUser'>
  customers: readonly Watched[]
  askedAt: number
  notBefore: number
}

interface Job {
  part: Part
  done: Promise<void>
}

export function createAttention(services: Services): Attention {
  const { clock, notes } = services
  const kept = new LRUCache<string, Readings>({
    maxSize: KEPT_MAX,
    sizeCalculation: ({ plans, services }) => 1 + plans.size + (services?.recover.length ?? 0)
  })
  const rounds = new LRUCache<string, Round>({ max: ROUNDS_MAX })
  const throttles = Object.fromEntries(PART_NAMES.map((part) => [part, createThrottle(clock)])) as Record<
    Part,
    Throttle
  >
  const apart = new LRUCache<string, true>({
    max: APART_MAX,
    ttl: APART_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const closing = new AbortController()
  const ownKeyOf = (customerId: string, { user }: Viewer) => `${customerId} ${user.id}`
  const keyOf = (customerId: string, { visibility, viewer }: Seen) => {
    const own = ownKeyOf(customerId, viewer)
    return apart.has(own) ? own : `${customerId} ${visibility}`
  }

  async function run(name: string, round: Round): Promise<void> {
    /** One job of a customer at a time: they build on each other. */
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

  /** Begins the next job of each part that has room for one. Returns whether there was any. */
  function begin(round: Round, underWay: Map<string, Job>): boolean {
    const now = { nowMs: clock(), notBefore: round.notBefore }
    let isBegun = false
    for (const part of PART_NAMES) {
      const jobs = [...underWay.values()].filter((job) => job.part === part)
      if (jobs.length >= JOBS[part]) continue
      const idle = round.customers.filter(({ customerId }) => !underWay.has(customerId))
      const customerId = nextCustomer(part, idle, (id) => kept.peek(keyOf(id, round)), now)
      if (customerId === null) continue
      const done = perform(round, customerId, part).finally(() => underWay.delete(customerId))
      // Of several that fail together, the first ends the round.
      done.catch(() => {})
      underWay.set(customerId, { part, done })
      isBegun = true
    }
    return isBegun
  }

  /** What was counted before, by this process or another, for customers of which nothing is known. */
  async function takeLast(round: Round): Promise<void> {
    const unknown = round.customers.filter(({ customerId }) => !kept.has(keyOf(customerId, round)))
    if (unknown.length === 0) return
    const last: Counts = JSON.parse((await notes.read(noteOf(round))) ?? '{}')
    for (const { customerId } of unknown) {
      const [key, counts] = [keyOf(customerId, round), last[customerId]]
      if (counts && !kept.has(key)) kept.set(key, { ...noReadings(), last: counts })
    }
  }

  async function remember(round: Round): Promise<void> {
    const { visibility, customers } = round
    const counts: Counts = {}
    for (const { customerId } of customers) {
      const readings = kept.peek(`${customerId} ${visibility}`)
      if (readings) counts[customerId] = withLast(countsOf(readings, ATTENTION_KINDS).counts, readings.last)
    }
    await notes.write(noteOf(round), JSON.stringify(counts))
  }

  /** Throws when the viewer has signed out, has other roles or no good token any more, or the gateway closes. */
  async function perform({ visibility, viewer }: Round, customerId: string, part: Part): Promise<void> {
    const user = await viewer.currentUser()
    if (visibilityOf({ user }) !== visibility) throw rolesChanged()
    const key = keyOf(customerId, { visibility, viewer })
    const { signal } = closing
    const before = kept.get(key) ?? noReadings()
    const { [part]: _failed, ...failedAt } = before.failedAt
    try {
      const source = { ...services, viewer, customerId, signal, throttle: throttles[part] }
      const change = await READERS[part](source, before)
      kept.set(key, withTotals({ ...(kept.peek(key) ?? before), ...change, failedAt }))
    } catch (error) {
      if (signal.aborted || isWithoutToken(error)) throw error
      if (!isOutage(error)) apart.set(ownKeyOf(customerId, viewer), true)
      const left = isRefusal(error) ? withoutPart(before, part) : before
      const own = keyOf(customerId, { visibility, viewer })
      kept.set(own, withTotals({ ...left, failedAt: { ...failedAt, [part]: clock() } }))
    }
  }

  return {
    async watch(organizationId, caller, customers, maxAgeMs) {
      const visibility = visibilityOf(caller)
      const name = `${organizationId} ${visibility}`
      const askedAt = clock()
      const notBefore = maxAgeMs === undefined ? Number.NEGATIVE_INFINITY : askedAt - maxAgeMs
      const known = rounds.get(name)
      // The request of the caller has ended by then: its trace is left out.
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
    readingsFor(viewer) {
      const seen = { viewer, visibility: visibilityOf(viewer) }
      return (customerId) => kept.get(keyOf(customerId, seen))
    },
    changed(customerId) {
      for (const [key, readings] of kept.entries())
        if (key.startsWith(`${customerId} `)) readings.changedAt = clock()
    },
    close: () => closing.abort(problems.clientGone())
  }
}

/** Said of who asks, not of what is asked for: others go on. */
function isWithoutToken(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return (error.options.upstreamStatus ?? error.status) === 401
}
