// Shares one call to the authority among all callers. After a failed call, all calls fail at once for a second.
import { problems } from '../../errors.ts'
import type { Clock } from '../../types.ts'

const FAILURE_REMEMBERED_MS = 1_000

/** Returns a function that throws a 503 problem when the call fails, or failed within the last second. */
export function sharedCall<T>(call: () => Promise<T>, clock: Clock): () => Promise<T> {
  let runningCall: Promise<T> | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  return async () => {
    // The clock may have been set back.
    if (runningCall === null && Math.abs(clock() - failedAt) < FAILURE_REMEMBERED_MS)
      throw problems.authorityUnavailable(failure)
    runningCall ??= call()
      .catch((error) => {
        failedAt = clock()
        failure = error
        throw problems.authorityUnavailable(error)
      })
      .finally(() => {
        runningCall = null
      })
    return runningCall
  }
}
