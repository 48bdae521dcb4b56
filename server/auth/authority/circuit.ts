// While the authority hangs, lets one call a second through; the others fail at once.
import { causesOf } from '../../config/remedies.ts'
import type { Clock } from '../../types.ts'

const TRY_EVERY_MS = 1_000

export function createCircuit(clock: Clock) {
  let triedAt: number | null = null
  let running = 0
  const hung = () => {
    triedAt ??= clock()
  }

  return {
    mayTry(): boolean {
      if (triedAt === null) return true
      if (clock() - triedAt < TRY_EVERY_MS) return false
      triedAt = clock()
      return true
    },
    /** Records whether the call gets an answer of any kind. */
    async run<T>(call: () => Promise<T>): Promise<T> {
      running += 1
      try {
        const result = await call()
        triedAt = null
        return result
      } catch (error) {
        if (causesOf(error).some(({ name }) => name === 'TimeoutError')) hung()
        else triedAt = null
        throw error
      } finally {
        running -= 1
      }
    },
    /** Records that a caller waited too long. Ignored while no call is under way: then another replica was waited for. */
    waitedTooLong(): void {
      if (running > 0) hung()
    }
  }
}
