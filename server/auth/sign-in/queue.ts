// A line for sign-ins before the API that knows the person: their codes are spent by then, so a refused one would have to
// begin again, and all of a Monday morning come at once.
import type { User } from '#shared/entities.ts'
import type { Recorder } from '../../observability/recorder.ts'
import { createSemaphore } from '../../upstreams/transport/semaphore.ts'

const WAIT_MS = 5_000
/** Twice as many as are read within the wait by an API that takes 100 ms. */
const WAITERS_MAX = 3_200
/** Sign-ins take half of the connections at most. */
const SHARE = 2

type FetchUser = (accessToken: string) => Promise<User>

/**
 * The same reading, a bounded number at a time. Rejects with a 503 problem after 5 s in line, or when the line is full.
 * @param connections to the API
 */
export function queuedSignIns(fetchUser: FetchUser, connections: number, recorder: Recorder): FetchUser {
  const permits = Math.ceil(connections / SHARE)
  const queue = createSemaphore({ permits, waiters: WAITERS_MAX, waitMs: WAIT_MS })
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
