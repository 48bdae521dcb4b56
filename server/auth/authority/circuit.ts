// A circuit breaker for the authority: while the authority hangs, allows one call a second and lets all others fail at once.
import { causesOf } from '../../error-causes.ts'
import type { Clock } from '../../types.ts'

const TRY_EVERY_MS = 1_000

export function createCircuit(clock: Clock) {
  /** The last try while the authority hangs; null while it answers. */
  let triedAt: number | null = null
  let running = 0
  const open = () => {
    triedAt ??= clock()
  }

  return {
    mayTry(): boolean {
      if (triedAt === null) return true
      if (Math.abs(clock() - triedAt) < TRY_EVERY_MS) return false
      triedAt = clock()
      return true
    },
    /** Runs a call. A timeout opens the circuit; any answer closes it. */
    async run<T>(call: () => Promise<T>): Promise<T> {
      running += 1
      try {
        const result = await call()
        triedAt = null
        return result
      } catch (error) {
        if (causesOf(error).some(({ name }) => name === 'TimeoutError')) open()
        else triedAt = null
        throw error
      } finally {
        running -= 1
      }
    },
    /** Opens the circuit if this replica is calling the authority. Otherwise the caller waited for another replica. */
    reportLongWait(): void {
      if (running > 0) open()
    }
  }
}
