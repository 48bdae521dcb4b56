// Bounds how many calls run at the same time, in total or for each caller. Further calls wait in a queue of bounded length
// for a bounded time, and leave it when their caller disconnects.
import { LRUCache } from 'lru-cache'
import { problems } from '../../errors.ts'
import { connectionProblem } from './failures.ts'

interface Bounds {
  permits: number
  /** Further calls are refused at once. */
  waiters: number
  waitMs: number
}

const KEYS_MAX = 1_000

/** One semaphore for each key; the least recently used one is dropped. */
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
     * Takes a permit, which `release` gives back. Throws a 503 problem if there is none within the bounds, and the problem of
     * an aborted `signal`.
     */
    async acquire(signal?: AbortSignal): Promise<void> {
      if (signal?.aborted) throw connectionProblem(signal.reason)
      if (free === 0) {
        if (line.size >= waiters) throw problems.upstreamBusy()
        // `release` hands its permit to the next in the queue.
        return inLine(signal)
      }
      free -= 1
    },
    release(): void {
      const [next] = line
      if (next) next()
      else free += 1
    },
    /** Running and waiting calls. */
    get count(): number {
      return permits - free + line.size
    },
    get waiting(): number {
      return line.size
    }
  }
}
