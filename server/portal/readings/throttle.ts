// Limits the background fetches of a part: all together, and those of each visibility, so that an upstream that hangs for some
// people does not stop the counts of others.
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { Problem, problems } from '../../errors.ts'
import { isOutage } from '../../upstreams/transport/failures.ts'
import { createPace } from './pace.ts'

/** A fetch that takes longer is slow, and lets another fetch start. */
const SLOW_MS = 2_000
/**
 * Maximum number of slow fetches that continue, because the counts of a slow upstream are useful too. A further one aborts the
 * first, because slow fetches of many people would take all connections of the API.
 */
const SLOW_MAX = 16
const VISIBILITIES_MAX = 2_000

/**
 * Runs `work` when the limits allow it. Aborts the signal if the fetch is slow and too many others became slow after it.
 * @param onSlow called when the fetch has become slow
 */
export type Throttle = <T>(work: (signal: AbortSignal) => Promise<T>, onSlow?: () => void) => Promise<T>

interface Options {
  /** Aborts all fetches. */
  closing: AbortSignal
  /** Maximum number of parallel fetches, without slow ones. */
  atOnce: number
  slowMs?: number
  /** A steady clock, in milliseconds. */
  now?: () => number
}

/** Background calls use at most a quarter of an API's connections. */
export const backgroundShare = (connections: number) => Math.ceil(connections / 4)

/**
 * Returns the throttle of each visibility. It starts with one fetch at a time, and its pace adapts the limit to the answers. A
 * slow fetch still counts for its own visibility.
 */
export function createThrottles({
  closing,
  atOnce,
  slowMs = SLOW_MS,
  now = () => performance.now()
}: Options): (visibility: string) => Throttle {
  const slots = pLimit(atOnce)
  // One fewer, so that another visibility never waits for an answer of this one.
  const atOncePerVisibility = Math.max(1, atOnce - 1)
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
    const pace = createPace(atOncePerVisibility)
    const onBusy = () => {
      pace.busy()
      limit.concurrency = pace.limit
    }
    return (work, onSlow) =>
      limit(async () => {
        const freeSlot = await takeSlot()
        const aborter = new AbortController()
        const startedAt = now()
        let isSlow = false
        const timer = setTimeout(() => {
          isSlow = true
          onBusy()
          addSlow(aborter)
          freeSlot()
          onSlow?.()
        }, slowMs).unref()
        try {
          const result = await work(AbortSignal.any([closing, aborter.signal]))
          if (!isSlow) {
            pace.good(now() - startedAt, now())
            limit.concurrency = pace.limit
          }
          return result
        } catch (error) {
          if (!isSlow && isBusy(error)) onBusy()
          throw error
        } finally {
          clearTimeout(timer)
          slowFetches.delete(aborter)
          freeSlot()
        }
      })
  }

  const throttles = new LRUCache<string, Throttle>({ max: VISIBILITIES_MAX, memoMethod: createThrottle })
  return (visibility) => throttles.memo(visibility)
}

function isBusy(error: unknown): boolean {
  return isOutage(error) || (error instanceof Problem && error.options.upstreamStatus === 429)
}
