// The pace of reads that repeat while a page shows current values.
import { ApiError } from '../http/api-error.ts'

export const LIVE_READ_MS = 10_000
/** Shorter than the pause after a read, so that a screen is live again within ten seconds after the API returns. */
const FAILED_READ_MS = 8_000

/** The gateway's Retry-After counts if it is longer. */
export function pauseAfterFailure(error: unknown): number {
  const retryAfterMs = error instanceof ApiError ? error.retryAfterSeconds * 1000 : 0
  return Math.max(FAILED_READ_MS, retryAfterMs)
}
