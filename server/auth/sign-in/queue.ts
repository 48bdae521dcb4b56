// Queues sign-ins before their code is spent, because a sign-in that fails later would have to start again, and on a Monday
// morning many people sign in at the same time.
import { Problem, problems } from '../../errors.ts'
import type { Recorder } from '../../observability/recorder.ts'
import { createSemaphore } from '../../upstreams/transport/semaphore.ts'

/** Maximum number of waiting sign-ins: as many as 32 permits can serve in 20 s if authority and API take 100 ms each. */
const WAITERS_MAX = 3_200
/** Sign-ins use at most half of the connections to the management API. */
const CONNECTIONS_PER_PERMIT = 2

interface Options {
  /** Number of connections to the management API, which the authority gets too. */
  connections: number
  waitMs: number
  recorder: Recorder
}

/**
 * Runs a sign-in when the queue allows it. Rejects with a 503 problem if the queue is full or the wait too long, and with a 499
 * problem if `disconnected` is aborted meanwhile. The code of such a sign-in is not spent.
 */
export type SignInQueue = <T>(signIn: () => Promise<T>, disconnected: AbortSignal) => Promise<T>

export function createSignInQueue({ connections, waitMs, recorder }: Options): SignInQueue {
  const permits = Math.ceil(connections / CONNECTIONS_PER_PERMIT)
  const queue = createSemaphore({ permits, waiters: WAITERS_MAX, waitMs })
  recorder.signInsWaiting(() => queue.waiting)
  return async (signIn, disconnected) => {
    await queue.acquire(disconnected).catch((error) => {
      throw error instanceof Problem && error.status === 503 ? problems.tooManySignIns() : error
    })
    try {
      return await signIn()
    } finally {
      queue.release()
    }
  }
}
