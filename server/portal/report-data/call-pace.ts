// Spaces the calls of each caller's reports, because a report may need thousands of them. Otherwise a fast API would be asked as
// fast as it answers.
import { setTimeout as timeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { connectionProblem } from '../../upstreams/transport/failures.ts'

const CALLERS_MAX = 1_000
const MINUTE_MS = 60_000

/** Waits until the caller's next call may start. Throws a problem if the signal is aborted. */
export type CallPace = (callsPerMinute: number, signal?: AbortSignal) => Promise<void>

interface Options {
  /** A steady clock, in milliseconds. */
  now?: () => number
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

/** Returns the pace of a caller. All reports of the caller share it. */
export function createCallPaces({
  now = () => performance.now(),
  wait = (ms, signal) => timeout(ms, undefined, { signal })
}: Options = {}): (caller: string) => CallPace {
  const nextCallAt = new LRUCache<string, number>({ max: CALLERS_MAX })
  return (caller) => async (callsPerMinute, signal) => {
    const startAt = Math.max(now(), nextCallAt.get(caller) ?? 0)
    nextCallAt.set(caller, startAt + MINUTE_MS / callsPerMinute)
    const waitMs = startAt - now()
    if (waitMs <= 0) return
    await wait(waitMs, signal).catch((error) => {
      throw connectionProblem(error)
    })
  }
}
