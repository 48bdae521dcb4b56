// Queues sign-ins before the call for the person's user. A refused sign-in would have to start again because its code is
// already used, and on a Monday morning many people sign in at the same time.
import type { User } from '#shared/entities.ts'
import type { Recorder } from '../../observability/recorder.ts'
import { createSemaphore } from '../../upstreams/transport/semaphore.ts'

/** Maximum number of queued sign-ins: twice as many as an API that takes 100 ms per call can answer within 5 s. */
const WAITERS_MAX = 3_200
/** Sign-ins use at most half of the connections. */
const CONNECTIONS_PER_PERMIT = 2

type FetchUser = (accessToken: string) => Promise<User>

/**
 * Limits the number of running calls. Rejects with a 503 problem after `waitMs` in the queue, or if the queue is full.
 * @param connections number of connections to the API
 */
export function queuedSignIns(
  fetchUser: FetchUser,
  connections: number,
  waitMs: number,
  recorder: Recorder
): FetchUser {
  const permits = Math.ceil(connections / CONNECTIONS_PER_PERMIT)
  const queue = createSemaphore({ permits, waiters: WAITERS_MAX, waitMs })
  recorder.signInsWaiting(() => queue.waiting)
  return async (accessToken) => {
    await queue.acquire()
    try {
      return await fetchUser(accessToken)
    } finally {
      queue.release()
    }
  }
}
