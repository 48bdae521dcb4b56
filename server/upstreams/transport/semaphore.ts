// Limits the number of running calls, in total or per caller. Further calls wait in a queue of limited length for a limited
// time, and leave it if their caller disconnects. Background calls wait until no other call waits.
import { LRUCache } from 'lru-cache'
import { problems } from '../../errors.ts'
import { connectionProblem } from './failures.ts'

interface Bounds {
  permits: number
  /** Maximum number of waiting calls. Further calls are refused at once. */
  waiters: number
  waitMs: number
}

/** A person waits for the answer of a `foreground` call. */
export type Priority = 'foreground' | 'background'

const KEYS_MAX = 1_000

/** One semaphore per key, for the KEYS_MAX keys used last. */
export function createSemaphores(bounds: Bounds): (key: string) => Semaphore {
  const byKey = new LRUCache<string, Semaphore>({ max: KEYS_MAX, memoMethod: () => createSemaphore(bounds) })
  return (key) => byKey.memo(key)
}

type Semaphore = ReturnType<typeof createSemaphore>

export function createSemaphore({ permits, waiters, waitMs }: Bounds) {
  let freePermits = permits
  const queues = { foreground: new Set<() => void>(), background: new Set<() => void>() }
  const waiting = () => queues.foreground.size + queues.background.size

  function enqueue(queue: Set<() => void>, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
        queue.delete(take)
        settle()
      }
      const take = () => leave(resolve)
      const cancel = () => leave(() => reject(connectionProblem(signal?.reason)))
      const timer = setTimeout(() => leave(() => reject(problems.upstreamBusy())), waitMs)
      signal?.addEventListener('abort', cancel)
      queue.add(take)
    })
  }

  return {
    /**
     * Takes a permit, which `release` returns. Throws a 503 problem if no permit becomes free in time or too many calls wait,
     * or, if `signal` is aborted, the problem that matches its reason.
     */
    async acquire(signal?: AbortSignal, priority: Priority = 'foreground'): Promise<void> {
      if (signal?.aborted) throw connectionProblem(signal.reason)
      if (freePermits === 0) {
        const queue = queues[priority]
        if (queue.size >= waiters) throw problems.upstreamBusy()
        // `release` passes its permit to the next call in the queue.
        return enqueue(queue, signal)
      }
      freePermits -= 1
    },
    release(): void {
      const [next] = queues.foreground.size > 0 ? queues.foreground : queues.background
      if (next) next()
      else freePermits += 1
    },
    /** Number of running and waiting calls. */
    get count(): number {
      return permits - freePermits + waiting()
    },
    get waiting(): number {
      return waiting()
    }
  }
}
