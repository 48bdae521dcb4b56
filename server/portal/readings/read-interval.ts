// The interval of repeated reads: doubles after a busy or slow answer, up to a minute.

const LONGEST_MS = 60_000

/** `busy`: the upstream is overloaded, fails for everybody, or answers slowly. `failed`: any other failure. */
export type Outcome = 'good' | 'busy' | 'failed'

export type ReadInterval = ReturnType<typeof createReadInterval>

/** @param shortestMs the interval while the upstream answers well */
export function createReadInterval(shortestMs: number) {
  let ms = shortestMs
  return {
    get ms() {
      return ms
    },
    /** Whether reads take place less often than they should. */
    get isLate() {
      return ms > shortestMs
    },
    adapt(outcome: Outcome): void {
      if (outcome === 'good') ms = shortestMs
      if (outcome === 'busy') ms = Math.max(shortestMs, Math.min(LONGEST_MS, 2 * ms))
    }
  }
}
