// Queues sign-ins before their code is spent, because a sign-in that fails later would have to start again, and on a Monday
// morning many people sign in at the same time.
import { normalizeIP } from '@fastify/rate-limit'
import { Problem, problems } from '../../errors.ts'
import type { Recorder } from '../../observability/recorder.ts'
import { createSemaphore, createSemaphores } from '../../upstreams/transport/semaphore.ts'

/** Maximum number of waiting sign-ins: as many as 32 permits can serve in 20 s if authority and API take 100 ms each. */
const WAITERS_MAX = 3_200
/** Sign-ins use at most half of the connections to the management API. */
const CONNECTIONS_PER_PERMIT = 2
/** An address has at most this part of the permits and of the places, also for callbacks with made-up codes. */
const SHARES = 4

interface Options {
  /** Number of connections to the management API, which the authority gets too. */
  connections: number
  waitMs: number
  recorder: Recorder
}

/**
 * Runs a sign-in of an address when the queue allows it. Rejects with a 503 problem if the queue is full or the wait too long,
 * and with a 499 problem if `disconnected` is aborted meanwhile. The code of such a sign-in is not spent.
 */
export type SignInQueue = <T>(
  signIn: () => Promise<T>,
  address: string,
  disconnected: AbortSignal
) => Promise<T>

export function createSignInQueue({ connections, waitMs, recorder }: Options): SignInQueue {
  const permits = Math.ceil(connections / CONNECTIONS_PER_PERMIT)
  const queue = createSemaphore({ permits, waiters: WAITERS_MAX, waitMs })
  const shareOf = createSemaphores({
    permits: Math.ceil(permits / SHARES),
    waiters: WAITERS_MAX / SHARES,
    waitMs
  })
  let waiting = 0
  recorder.signInsWaiting(() => waiting)

  /** Returns how to leave. */
  async function enter(address: string, disconnected: AbortSignal): Promise<() => void> {
    // One limit for both waits.
    const signal = AbortSignal.any([disconnected, AbortSignal.timeout(waitMs)])
    const share = shareOf(normalizeIP(address))
    await share.acquire(signal)
    await queue.acquire(signal).catch((error) => {
      share.release()
      throw error
    })
    return () => {
      queue.release()
      share.release()
    }
  }

  return async (signIn, address, disconnected) => {
    waiting += 1
    const leave = await enter(address, disconnected)
      .catch((error) => {
        throw error instanceof Problem && error.status >= 500 ? problems.tooManySignIns() : error
      })
      .finally(() => {
        waiting -= 1
      })
    try {
      return await signIn()
    } finally {
      leave()
    }
  }
}
