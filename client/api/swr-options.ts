import type { SWRConfiguration } from 'swr'
import { ApiError } from './api-error.ts'

const RETRIES_MAX = 3
const FIRST_RETRY_MS = 1_000

/** Only what may pass by itself is tried again: 503 and 504, with growing pauses. */
export const swrOptions: SWRConfiguration = {
  focusThrottleInterval: 60_000,
  onErrorRetry(error, _key, _config, revalidate, { retryCount }) {
    const passing = error instanceof ApiError && (error.status === 503 || error.status === 504)
    if (!passing || retryCount > RETRIES_MAX || document.hidden) return
    const pauseMs = FIRST_RETRY_MS * 2 ** (retryCount - 1) * (0.75 + Math.random() / 2)
    setTimeout(() => void revalidate({ retryCount }), pauseMs)
  }
}
