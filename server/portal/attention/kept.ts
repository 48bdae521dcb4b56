// Caches the readings of customers by visibility.
import { LRUCache } from 'lru-cache'
import { Problem, problems } from '../../errors.ts'
import type { Caller } from '../../types.ts'
import { isOutage, isRefusal } from '../../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import { rolesChanged } from '../request.ts'
import { createThrottle, READERS, type ReaderServices, type Throttle } from './readers.ts'
import { noReadings, PART_NAMES, type Part, type Readings, withoutPart, withTotals } from './readings.ts'

/** Maximum sum of cached readings, their plans, and their devices with Recover. */
const KEPT_MAX = 250_000
/** How long a viewer shares no readings of a customer after a failure that other viewers may not have. */
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
  const unshared = new LRUCache<string, true>({
    max: APART_MAX,
    ttl: APART_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const closing = new AbortController()
  const ownKeyOf = (customerId: string, { user }: Viewer) => `${customerId} ${user.id}`
  const keyOf = (customerId: string, { visibility, viewer }: Seen) => {
    const own = ownKeyOf(customerId, viewer)
    return unshared.has(own) ? own : `${customerId} ${visibility}`
  }

  return {
    get: (customerId: string, seen: Seen) => kept.get(keyOf(customerId, seen)),
    peek: (customerId: string, seen: Seen) => kept.peek(keyOf(customerId, seen)),
    /** The readings that the viewers of one visibility share. */
    shared: (customerId: string, { visibility }: Seen) => kept.peek(`${customerId} ${visibility}`),
    /** Stores previous counts of a customer, unless it has readings. */
    setLast(customerId: string, seen: Seen, last: Readings['last']): void {
      const key = keyOf(customerId, seen)
      if (last && !kept.has(key)) kept.set(key, { ...noReadings(), last })
    },
    /** Fetches a part. Throws if the viewer has signed out, has other roles or no valid token, or if the gateway closes. */
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
        if (!isOutage(error)) unshared.set(ownKeyOf(customerId, viewer), true)
        const remaining = isRefusal(error) ? withoutPart(before, part) : before
        const own = keyOf(customerId, { visibility, viewer })
        kept.set(own, withTotals({ ...remaining, failedAt: { ...failedAt, [part]: clock() } }))
      }
    },
    /** Marks a changed customer for another fetch, for every visibility. */
    changed(customerId: string): void {
      for (const [key, readings] of kept.entries())
        if (key.startsWith(`${customerId} `)) readings.changedAt = clock()
    },
    close: () => closing.abort(problems.clientGone())
  }
}

/** Whether only the caller's token failed, so that other callers' fetches may continue. */
function isWithoutToken(error: unknown): boolean {
  return error instanceof Problem && (error.options.upstreamStatus ?? error.status) === 401
}
