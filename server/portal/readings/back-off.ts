// When to read again while an upstream is away, refuses further calls, or is slow.

/**
 * Interval of the reads while an API is away, for each part and visibility: one read that fails costs an API little, and
 * everybody sees within ten seconds that it is back.
 */
export const AWAY_MS = 5_000
/** The longest wait after too many calls (429), and the longest interval of a slow upstream. */
const LONGEST_MS = 60_000

/** `away`: it fails for everybody. `limited`: it refused this number of calls. `slow`: a good, but late answer. */
export type Outcome = 'good' | 'slow' | 'away' | 'limited' | 'failed'

export type BackOff = ReturnType<typeof createBackOff>

/** The common wait of all reads of one part for one visibility. Times by a steady clock, in milliseconds. */
export function createBackOff() {
  let isAway = false
  let until = Number.NEGATIVE_INFINITY
  let limitedMs = 0
  let goodAt = Number.NEGATIVE_INFINITY

  return {
    waitMs: (nowMs: number) => Math.max(0, until - nowMs),
    /** Whether the next read only finds out whether the API is back. */
    get isAway() {
      return isAway
    },
    /** Call when a read starts. While the API is away, the next one waits. */
    started(nowMs: number): void {
      if (isAway) until = nowMs + AWAY_MS
    },
    /** Call after a good answer, to any replica. It ends the wait of all reads. */
    good(nowMs: number): void {
      isAway = false
      until = Number.NEGATIVE_INFINITY
      limitedMs = 0
      goodAt = nowMs
    },
    /**
     * Call after a failure that affects everybody, and when an answer takes too long. Returns false if the API has answered
     * well since that read started, so that only its customer is affected.
     */
    away(startedAtMs: number, nowMs: number): boolean {
      if (goodAt >= startedAtMs) return false
      if (!isAway) until = Math.max(nowMs, startedAtMs + AWAY_MS)
      isAway = true
      return true
    },
    /** Call after too many calls. The wait doubles. */
    limited(nowMs: number): void {
      limitedMs = Math.min(LONGEST_MS, Math.max(AWAY_MS, 2 * limitedMs))
      until = Math.max(until, nowMs + limitedMs)
    }
  }
}

export type ReadInterval = ReturnType<typeof createReadInterval>

/** The interval of repeated reads. @param shortestMs the interval while the upstream answers quickly */
export function createReadInterval(shortestMs: number) {
  let ms = shortestMs
  return {
    get ms() {
      return ms
    },
    get isLong() {
      return ms > shortestMs
    },
    adapt(outcome: Outcome): void {
      if (outcome === 'good') ms = shortestMs
      if (outcome === 'slow') ms = Math.max(shortestMs, Math.min(LONGEST_MS, 2 * ms))
    }
  }
}

/** The rest of an interval that began at `startedAt`, by the clock of `nowMs`. */
export function remainingMs(startedAt: number, intervalMs: number, nowMs: number): number {
  return Math.max(0, startedAt + intervalMs - nowMs)
}
