// When to try again after a failure. Failed reads of a page are repeated together, in rounds, while the page is visible and online.
import { createContext, useContext, useEffectEvent, useLayoutEffect } from 'react'
import { useSWRConfig } from 'swr'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { listen } from '../browser.ts'
import { ApiError } from './api-error.ts'

interface RetryRule {
  firstMs: number
  /** Each pause is double the one before, up to this one. */
  maxMs: number
  /** The share by which a pause varies, so that browsers do not try together. */
  spread: number
}

export const RETRY_RULES = {
  /** Failed reads of a page: later rounds are 3 to 9 s apart. */
  page: { firstMs: 1_000, maxMs: 6_000, spread: 0.5 },
  /** The check of a lost connection. */
  connection: { firstMs: 1_000, maxMs: 10_000, spread: 0.25 },
  /** The live stream. */
  stream: { firstMs: 2_000, maxMs: 60_000, spread: 0.5 },
  /** Values that show live: shorter than the pause after a read, so that they are live again within ten seconds. */
  liveValues: { firstMs: 8_000, maxMs: 8_000, spread: 0 },
  /** A call that was refused until the tokens are renewed. */
  renewal: { firstMs: 250, maxMs: 250, spread: 0.5 },
  /** The time that is left of the session. */
  session: { firstMs: 15_000, maxMs: 15_000, spread: 0 }
} as const satisfies Record<string, RetryRule>

/** The pause before the next try. @param failures the number of earlier failures; an `error` may have a longer Retry-After */
export function pauseBeforeRetry(rule: RetryRule, failures = 0, error?: unknown): number {
  const { firstMs, maxMs, spread } = rule
  const pauseMs = Math.min(firstMs * 2 ** failures, maxMs) * (1 + spread * (2 * Math.random() - 1))
  return Math.max(pauseMs, error instanceof ApiError ? error.retryAfterSeconds * 1000 : 0)
}

/** A failure this long after the last round starts with the first pause again. */
const CALM_MS = 120_000

/** Whether a later call may succeed, although the caller changes nothing. */
export function mayRecover(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status >= 499 || error.status === 408 || error.status === 429)
}

/** Repeats a failed read in the next round, while the component is mounted. The retry makes the read busy. */
export function useRetry(error: unknown, busy: boolean, retry: () => void): void {
  const { shouldRetryOnError } = useSWRConfig()
  const retries = useRetries()
  const onRetry = useEffectEvent(retry)
  const apiError = !busy && shouldRetryOnError !== false && mayRecover(error) ? error : null
  // A layout effect plans the round before the error shows.
  useLayoutEffect(
    () => (apiError ? retries.join(() => onRetry(), apiError.retryAfterSeconds) : undefined),
    [apiError, retries]
  )
}

/** The failed reads of one app. */
export type Retries = ReturnType<typeof createRetries>

export function createRetries() {
  /** When the next round starts, by the page's clock (`performance.now()`); null if none is planned. */
  const next = createStore<{ atMs: number | null }>(() => ({ atMs: null }))
  const waiting = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let rounds = 0
  let lastRoundMs = Number.NEGATIVE_INFINITY
  /** No round starts before this time, which a Retry-After names. */
  let earliestMs = 0
  let stopListening: (() => void) | undefined

  function planRound(wishedMs: number): void {
    const atMs = Math.max(wishedMs, earliestMs)
    if (atMs === next.getState().atMs) return
    clearTimeout(timer)
    timer = setTimeout(startRound, Math.max(0, atMs - performance.now()))
    next.setState({ atMs })
  }

  function cancelRound(): void {
    clearTimeout(timer)
    next.setState({ atMs: null })
  }

  function startRound(): void {
    cancelRound()
    // `startSoon` plans the next round.
    if (document.hidden || !navigator.onLine) return
    rounds += 1
    lastRoundMs = performance.now()
    const retries = [...waiting]
    waiting.clear()
    for (const retry of retries) retry()
  }

  /** The page is visible or online again. */
  function startSoon(): void {
    if (waiting.size > 0 && !document.hidden) planRound(performance.now())
  }

  function listenForReturn(): () => void {
    const stops = [listen(document, { visibilitychange: startSoon }), listen(window, { online: startSoon })]
    return () => {
      for (const stop of stops) stop()
    }
  }

  return {
    next,
    /** Repeats the read in the next round. Returns how to leave it. */
    join(retry: () => void, retryAfterSeconds: number): () => void {
      stopListening ??= listenForReturn()
      const nowMs = performance.now()
      if (nowMs - lastRoundMs > CALM_MS) rounds = 0
      earliestMs = Math.max(earliestMs, nowMs + retryAfterSeconds * 1000)
      waiting.add(retry)
      const { atMs } = next.getState()
      planRound(atMs ?? nowMs + pauseBeforeRetry(RETRY_RULES.page, rounds))
      return () => {
        waiting.delete(retry)
        if (waiting.size > 0) return
        cancelRound()
        stopListening?.()
        stopListening = undefined
      }
    }
  }
}

export const RetriesContext = createContext<Retries | null>(null)

function useRetries(): Retries {
  const retries = useContext(RetriesContext)
  if (!retries) throw new Error('a query is used outside of RetriesContext')
  return retries
}

/** When the next round starts; null if none is planned. */
export function useNextRetryMs(): number | null {
  return useStore(useRetries().next).atMs
}
