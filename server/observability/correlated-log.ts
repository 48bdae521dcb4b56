// Adds the request id to log lines of code that has no access to the request, such as calls to the authority and Redis.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../types.ts'

const requestIds = new AsyncLocalStorage<string>()

/** Runs `work`, and everything that it starts, with the id of a request. */
export function forRequest(requestId: string, work: () => void): void {
  requestIds.run(requestId, work)
}

/** The same log, with the `requestId` of the current request on each line. */
export function correlatedLog(log: Log): Log {
  return log.child({}, { formatters: { log: (line) => ({ requestId: requestIds.getStore(), ...line }) } })
}
