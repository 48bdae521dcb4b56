// Log lines that name the request that led to them, also where the request itself is not at hand: in calls to the authority
// and to Redis, and in work that one call does for several.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../types.ts'

const requestIds = new AsyncLocalStorage<string>()

/** Runs `work`, and everything that it starts, in the name of a request. */
export function forRequest(requestId: string, work: () => void): void {
  requestIds.run(requestId, work)
}

/** The same log; each line has the `requestId` of the request that it was written for, if there is one. */
export function correlatedLog(log: Log): Log {
  return log.child({}, { formatters: { log: (line) => ({ requestId: requestIds.getStore(), ...line }) } })
}
