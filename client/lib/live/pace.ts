// The pace of reads that repeat while a page shows current values.
import { ApiError } from '../http/api-error.ts'

export const LIVE_READ_MS = 10_000
const SLOWEST_MS = 60_000

/** Each failure in a row doubles the pause up to a minute; the gateway's Retry-After counts if it is longer. */
export function pauseAfterFailures(failures: number, error: unknown): number {
  const retryAfterMs = error instanceof ApiError ? error.retryAfterSeconds * 1000 : 0
  return Math.max(Math.min(LIVE_READ_MS * 2 ** failures, SLOWEST_MS), retryAfterMs)
}
