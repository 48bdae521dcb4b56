// Bounds how many calls run at the same time, of all callers or of each. A call without a permit waits in a line of bounded
// length, for a bounded time, and leaves it when nobody waits for the outcome any more.
import { LRUCache } from 'lru-cache'
import { problems } from '../../errors.ts'
import { connectionProblem } from './failures.ts'

interface Bounds {
  permits: number
  /** Further ones are refused at once. */
  waiters: number
  waitMs: number
}

const KEYS_MAX = 1_000

/** One for each key; the least recently used is forgotten. */
export function createSemaphores(bounds: Bounds): (key: string) => Semaphore {
  const byKey = new LRUCache<string, Semaphore>({ max: KEYS_MAX, memoMethod: () => createSemaphore(bounds) })
  return (key) => byKey.memo(key)
}

type Semaphore = ReturnType<typeof createSemaphore>

export function createSemaphore({ permits, waiters, waitMs }: Bounds) {
  let free = permits
  const line = new Set<() => void>()

  function inLine(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', gone)
        line.delete(take)
        settle()
      }
      const take = () => leave(resolve)
      const gone = () => leave(() => reject(connectionProblem(signal?.reason)))
      const timer = setTimeout(() => leave(() => reject(problems.upstreamBusy())), waitMs)
      signal?.addEventListener('abort', gone)
      line.add(take)
    })
  }

  return {
    /**
     * Takes a permit; to be given back by `release`. Throws a 503 problem when there is none within the bounds, and what an
     * aborted `signal` stands for.
     */
    async acquire(signal?: AbortSignal): Promise<void> {
      if (signal?.aborted) throw connectionProblem(signal.reason)
      if (free === 0) {
        if (line.size >= waiters) throw problems.upstreamBusy()
        // The permit is handed over by the one that gives it back.
        return inLine(signal)
      }
      free -= 1
    },
    release(): void {
      const [next] = line
      if (next) next()
      else free += 1
    },
    /** Those that run and those that wait. */
    get count(): number {
      return permits - free + line.size
    },
    get waiting(): number {
      return line.size
    }
  }
}
