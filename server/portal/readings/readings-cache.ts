// Caches the readings of customers by visibility.
import { LRUCache } from 'lru-cache'
import { Problem, problems } from '../../errors.ts'
import type { Caller } from '../../types.ts'
import { isOutage, isRefusal } from '../../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import { READERS, type ReaderServices } from './readers.ts'
import { noReadings, PART_NAMES, type Part, type Readings, withoutPart, withTotals } from './readings.ts'
import { backgroundShare, createThrottles, type Throttle } from './throttle.ts'

/** Maximum sum of cached readings, their plans, and their devices with Recover. */
const CACHED_MAX = 250_000
/** How long a viewer shares no readings of a customer after a failure that other viewers may not have. */
const UNSHARED_MS = 15 * 60_000
const UNSHARED_MAX = 10_000

export interface Viewing {
  visibility: string
  viewer: Viewer & Pick<Caller, 'currentUser'>
}

export function createReadingsCache(services: ReaderServices & { connections: number }) {
  const { clock, onCount, connections } = services
  const cache = new LRUCache<string, Readings>({
    maxSize: CACHED_MAX,
    sizeCalculation: ({ plans, services }) => 1 + plans.size + (services?.recover.length ?? 0)
  })
  const aborter = new AbortController()
  const throttleOptions = { closing: aborter.signal, atOnce: backgroundShare(connections) }
  const throttles = Object.fromEntries(
    PART_NAMES.map((part) => [part, createThrottles(throttleOptions)])
  ) as Record<Part, ReturnType<typeof createThrottles>>
  const unsharedKeys = new LRUCache<string, true>({
    max: UNSHARED_MAX,
    ttl: UNSHARED_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const ownKeyOf = (customerId: string, { user }: Viewer) => `${customerId} ${user.id}`
  const keyOf = (customerId: string, { visibility, viewer }: Viewing) => {
    const ownKey = ownKeyOf(customerId, viewer)
    return unsharedKeys.has(ownKey) ? ownKey : `${customerId} ${visibility}`
  }

  return {
    get: (customerId: string, viewing: Viewing) => cache.get(keyOf(customerId, viewing)),
    peek: (customerId: string, viewing: Viewing) => cache.peek(keyOf(customerId, viewing)),
    /** The readings that the viewers of one visibility share. */
    shared: (customerId: string, { visibility }: Viewing) => cache.peek(`${customerId} ${visibility}`),
    /** Stores previous counts of a customer, unless it has readings. */
    setLast(customerId: string, viewing: Viewing, last: Readings['last']): void {
      const key = keyOf(customerId, viewing)
      if (last && !cache.has(key)) cache.set(key, { ...noReadings(), last })
    },
    /** Fetches a part. Throws if the viewer has signed out, has other roles or no valid token, or if the gateway closes. */
    async read(customerId: string, part: Part, { visibility, viewer }: Viewing): Promise<void> {
      let hasLostRights = false
      // Checks the rights when the fetch starts, because it may have waited for its turn.
      const throttle: Throttle = (work) =>
        throttles[part](visibility)(async (signal) => {
          await assertSameRights({ visibility, viewer }).catch((error) => {
            hasLostRights = true
            throw error
          })
          return work(signal)
        })
      const key = keyOf(customerId, { visibility, viewer })
      const previous = cache.get(key) ?? noReadings()
      const { [part]: _failed, ...failedAt } = previous.failedAt
      try {
        const source = { ...services, bearer: viewer, customerId, throttle }
        const change = await READERS[part](source, previous)
        cache.set(key, withTotals({ ...(cache.peek(key) ?? previous), ...change, failedAt }))
        onCount(customerId)
      } catch (error) {
        if (hasLostRights || aborter.signal.aborted || isWithoutToken(error)) throw error
        if (!isOutage(error)) unsharedKeys.set(ownKeyOf(customerId, viewer), true)
        const remaining = isRefusal(error) ? withoutPart(previous, part) : previous
        const newKey = keyOf(customerId, { visibility, viewer })
        cache.set(newKey, withTotals({ ...remaining, failedAt: { ...failedAt, [part]: clock() } }))
        onCount(customerId)
      }
    },
    /** Marks a changed customer for another fetch, for every visibility. */
    changed(customerId: string): void {
      for (const [key, readings] of cache.entries())
        if (key.startsWith(`${customerId} `)) readings.changedAt = clock()
    },
    close: () => aborter.abort(problems.clientGone())
  }
}

/** Throws if the viewer has signed out or has other roles. */
async function assertSameRights({ visibility, viewer }: Viewing): Promise<void> {
  const user = await viewer.currentUser()
  if (visibilityOf({ user }) !== visibility) throw problems.rolesChanged()
}

/** Whether only the caller's token failed, so that other callers' fetches may continue. */
function isWithoutToken(error: unknown): boolean {
  return error instanceof Problem && (error.options.upstreamStatus ?? error.status) === 401
}
