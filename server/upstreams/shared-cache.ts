// Caches answers by name for a short time, and shares one fetch among all callers of the same name. The name must contain
// the visibility of the caller.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../types.ts'
import { createSingleFlight, type Fetch } from './single-flight.ts'

/** @param maxAgeMs also the maximum age of a fetch that a caller joins */
export function createSharedCache<T extends object>(max: number, maxAgeMs: number, clock: Clock) {
  const cache = new LRUCache<string, T>({ max, ttl: maxAgeMs, perf: { now: clock }, ttlResolution: 0 })
  const fetches = createSingleFlight<T>(clock)

  return {
    /** Returns the cached answer, or fetches it. Throws the upstream's problem; stops when `signal` is aborted. */
    async of(name: string, fetch: Fetch<T>, signal?: AbortSignal): Promise<T> {
      // Skip an entry with a future date: the clock was set back, so its age is unknown.
      const cached = cache.getRemainingTTL(name) > maxAgeMs ? undefined : cache.get(name)
      return (
        cached ??
        fetches.share(name, {
          fetch,
          keep: (answer, start) => void cache.set(name, answer, { start }),
          notBefore: clock() - maxAgeMs,
          signal
        })
      )
    },
    /** Drops these answers, and all that are being fetched: they still answer their callers. */
    forget(matches: (answer: T) => boolean): void {
      for (const [name, answer] of [...cache.entries()]) if (matches(answer)) cache.delete(name)
      fetches.forget(() => true)
    }
  }
}
