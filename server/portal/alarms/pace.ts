// The interval of repeated reads: doubles after a busy or slow answer, up to a minute.

const INTERVAL_MAX_MS = 60_000

/** `busy`: the upstream is overloaded, fails for everybody, or answers slowly. `failed`: any other failure. */
export type Outcome = 'good' | 'busy' | 'failed'

export type Pace = ReturnType<typeof createPace>

/** @param shortestMs the interval while the upstream answers well */
export function createPace(shortestMs: number) {
  let intervalMs = shortestMs
  return {
    get intervalMs() {
      return intervalMs
    },
    /** Whether reads take place less often than they should. */
    get isLate() {
      return intervalMs > shortestMs
    },
    adapt(outcome: Outcome): void {
      if (outcome === 'good') intervalMs = shortestMs
      if (outcome === 'busy') intervalMs = Math.max(shortestMs, Math.min(INTERVAL_MAX_MS, 2 * intervalMs))
    }
  }
}
