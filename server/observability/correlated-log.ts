// Adds the ids of the request to log lines of code that has no access to it, such as calls to the authority and Redis.
import type { Log } from '../types.ts'
import { currentTrace } from './trace.ts'

/** The same log, with `requestId` and `traceId` of the current request on each line. */
export function correlatedLog(log: Log): Log {
  return log.child(
    {},
    {
      formatters: {
        log(line) {
          const trace = currentTrace()
          return { requestId: trace?.requestId, traceId: trace?.traceId, ...line }
        }
      }
    }
  )
}
