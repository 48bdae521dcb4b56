// Keeps the readings of customers by visibility.
import { LRUCache } from 'lru-cache'
import { Problem, problems } from '../../errors.ts'
import type { Caller } from '../../types.ts'
import { isOutage, isRefusal } from '../../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import { rolesChanged } from '../request.ts'
import { createThrottle, READERS, type ReaderServices, type Throttle } from './readers.ts'
import { noReadings, PART_NAMES, type Part, type Readings, withoutPart, withTotals } from './readings.ts'

/** Maximum number of customers (per visibility), plans and devices with Recover, together. */
const KEPT_MAX = 250_000
/** A viewer shares no readings of a customer for this long after a failure that may concern only them. */
const APART_MS = 15 * 60_000
const APART_MAX = 10_000

export interface Seen {
  visibility: string
  viewer: Viewer & Pick<Caller, 'currentUser'>
}

export function createKeptReadings(services: ReaderServices) {
  const { clock } = services
  const kept = new LRUCache<string, Readings>({
    maxSize: KEPT_MAX,
    sizeCalculation: ({ plans, services }) => 1 + plans.size + (services?.recover.length ?? 0)
  })
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

  return {
    get: (customerId: string, seen: Seen) => kept.get(keyOf(customerId, seen)),
    peek: (customerId: string, seen: Seen) => kept.peek(keyOf(customerId, seen)),
    /** The readings that viewers share. */
    shared: (customerId: string, { visibility }: Seen) => kept.peek(`${customerId} ${visibility}`),
    /** Stores previous counts for a customer without readings. */
    setLast(customerId: string, seen: Seen, last: Readings['last']): void {
      const key = keyOf(customerId, seen)
      if (last && !kept.has(key)) kept.set(key, { ...noReadings(), last })
    },
    /** Reads a part. Throws when the viewer has signed out, has other roles or no good token, or the gateway closes. */
    async read(customerId: string, part: Part, { visibility, viewer }: Seen): Promise<void> {
      const user = await viewer.currentUser()
      if (visibilityOf({ user }) !== visibility) throw rolesChanged()
      const key = keyOf(customerId, { visibility, viewer })
      const { signal } = closing
      const before = kept.get(key) ?? noReadings()
      const { [part]: _failed, ...failedAt } = before.failedAt
      try {
        const source = { ...services, bearer: viewer, customerId, signal, throttle: throttles[part] }
        const change = await READERS[part](source, before)
        kept.set(key, withTotals({ ...(kept.peek(key) ?? before), ...change, failedAt }))
      } catch (error) {
        if (signal.aborted || isWithoutToken(error)) throw error
        if (!isOutage(error)) apart.set(ownKeyOf(customerId, viewer), true)
        const left = isRefusal(error) ? withoutPart(before, part) : before
        const own = keyOf(customerId, { visibility, viewer })
        kept.set(own, withTotals({ ...left, failedAt: { ...failedAt, [part]: clock() } }))
      }
    },
    /** Marks a changed customer to be read again, for every visibility. */
    changed(customerId: string): void {
      for (const [key, readings] of kept.entries())
        if (key.startsWith(`${customerId} `)) readings.changedAt = clock()
    },
    close: () => closing.abort(problems.clientGone())
  }
}

/** Concerns the caller's token only, so other callers' reads continue. */
function isWithoutToken(error: unknown): boolean {
  return error instanceof Problem && (error.options.upstreamStatus ?? error.status) === 401
}
