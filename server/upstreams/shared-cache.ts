// Caches answers by name for a short time, and shares one fetch among the callers of a name. Put the visibility of the caller
// into the name.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../types.ts'
import { createSingleFlight, type Fetch } from './single-flight.ts'

/** @param maxAgeMs also the maximum age of a fetch that a caller joins */
export function createSharedCache<T extends object>(max: number, maxAgeMs: number, clock: Clock) {
  const known = new LRUCache<string, T>({ max, ttl: maxAgeMs, perf: { now: clock }, ttlResolution: 0 })
  const fetches = createSingleFlight<T>(clock)

  /** The cached or fetched answer. Throws the upstream's problem; ends when the caller disconnects. */
  return async (name: string, fetch: Fetch<T>, signal?: AbortSignal): Promise<T> => {
    // Skip an entry with a future date: the clock was set back, so its age is unknown.
    const found = known.getRemainingTTL(name) > maxAgeMs ? undefined : known.get(name)
    return (
      found ??
      fetches.share(name, {
        fetch,
        keep: (answer, start) => void known.set(name, answer, { start }),
        notBefore: clock() - maxAgeMs,
        signal
      })
    )
  }
}
