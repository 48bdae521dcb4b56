// Limits the background fetches of a part: all together, and those of each visibility, so that an upstream that hangs for some
// people does not stop the counts of others.
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { Problem, problems } from '../../errors.ts'
import { isOutage } from '../../upstreams/transport/failures.ts'

/** Maximum number of parallel fetches of a part, without slow ones: a quarter of the default connections of an API. */
const AT_ONCE = 16
/** Maximum number of them for one visibility. */
export const AT_ONCE_PER_VISIBILITY = AT_ONCE / 2
/** A fetch that takes longer is slow, and lets another fetch start. */
const SLOW_MS = 2_000
/**
 * Maximum number of slow fetches that continue, because the counts of a slow upstream are useful too. A further one aborts the
 * first, because slow fetches of many people would take all connections of the API.
 */
const SLOW_MAX = 16
const VISIBILITIES_MAX = 2_000

/** Runs `work` when the limits allow it. Aborts the signal if the fetch is slow and too many others became slow after it. */
export type Throttle = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/**
 * Returns the throttle of each visibility. It starts with one fetch at a time, halves its limit after a busy or slow answer, and
 * raises it by one after any other. A slow fetch still counts for its own visibility.
 * @param closing aborts all fetches
 */
export function createThrottles(closing: AbortSignal, slowMs = SLOW_MS): (visibility: string) => Throttle {
  const slots = pLimit(AT_ONCE)
  const slowFetches = new Set<AbortController>()

  /** Waits for a slot and returns the function that frees it. */
  const takeSlot = () =>
    new Promise<() => void>((resolve) => void slots(() => new Promise<void>((free) => resolve(free))))

  function addSlow(aborter: AbortController): void {
    slowFetches.add(aborter)
    const [first] = slowFetches
    if (slowFetches.size <= SLOW_MAX || first === undefined) return
    slowFetches.delete(first)
    first.abort(problems.upstreamTimeout())
  }

  function createThrottle(): Throttle {
    const limit = pLimit(1)
    const adapt = (isGood: boolean) => {
      const { concurrency } = limit
      limit.concurrency = isGood
        ? Math.min(AT_ONCE_PER_VISIBILITY, concurrency + 1)
        : Math.ceil(concurrency / 2)
    }
    return (work) =>
      limit(async () => {
        const freeSlot = await takeSlot()
        const aborter = new AbortController()
        let isGood = true
        const timer = setTimeout(() => {
          isGood = false
          adapt(isGood)
          addSlow(aborter)
          freeSlot()
        }, slowMs).unref()
        try {
          return await work(AbortSignal.any([closing, aborter.signal]))
        } catch (error) {
          if (isGood && isBusy(error)) {
            isGood = false
            adapt(isGood)
          }
          throw error
        } finally {
          clearTimeout(timer)
          slowFetches.delete(aborter)
          freeSlot()
          if (isGood) adapt(isGood)
        }
      })
  }

  const throttles = new LRUCache<string, Throttle>({ max: VISIBILITIES_MAX, memoMethod: createThrottle })
  return (visibility) => throttles.memo(visibility)
}

function isBusy(error: unknown): boolean {
  return isOutage(error) || (error instanceof Problem && error.options.upstreamStatus === 429)
}
