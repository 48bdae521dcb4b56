// Whether the authority may be asked: while it hangs, one call a second finds out whether it still does, and the others are
// told at once instead of waiting in vain.
import type { Clock } from '../../types.ts'

/** While it hangs. */
const TRY_EVERY_MS = 1_000

export interface Circuit {
  /** Whether this call may ask; while the authority hangs, once a second. */
  mayTry(): boolean
  /** A call was not answered in time. */
  hung(): void
  /** A call was answered, whatever it said. */
  answered(): void
}

export function createCircuit(clock: Clock): Circuit {
  let triedAt: number | null = null
  return {
    mayTry() {
      if (triedAt === null) return true
      if (clock() - triedAt < TRY_EVERY_MS) return false
      triedAt = clock()
      return true
    },
    hung() {
      triedAt ??= clock()
    },
    answered() {
      triedAt = null
    }
  }
}
