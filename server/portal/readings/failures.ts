// Chooses with whose token a part of a customer is read. Viewers of equal visibility share a reading, but not one whom the
// upstream has refused.
import { LRUCache } from 'lru-cache'
import type { Caller, Clock } from '../../types.ts'
import type { Viewer } from '../../upstreams/visibility.ts'

/** A caller with whose token customers are read, while the caller is present. */
export type PresentViewer = Viewer & Pick<Caller, 'currentUser'>

export interface Failure {
  /** In milliseconds since 1970. */
  at: number
  /** Whether the upstream refused the viewer, who then may not see it. */
  isRefusal: boolean
}

/** Tokens that have not failed, or tokens that failed a while ago and are to be tried again. */
export type Tokens = 'working' | 'failed'

/** Maximum number of tokens with which a reading is tried. */
const TRIED_MAX = 3
/** Time until a token is tried again after its failure. */
const RETRY_MS = 60_000
/** How long a failure is remembered of a viewer whose token is not tried again. */
export const REMEMBERED_MS = 15 * 60_000
const FAILURES_MAX = 10_000

export type Failures = ReturnType<typeof createFailures>

/** The failures of viewers that other viewers may not have. Keys name a part of a customer as seen with one visibility. */
export function createFailures(clock: Clock) {
  const failures = new LRUCache<string, Failure>({
    max: FAILURES_MAX,
    ttl: REMEMBERED_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const nameOf = (key: string, userId: string) => `${key} ${userId}`

  return {
    get count() {
      return failures.size
    },
    of: (key: string, { user }: Pick<Viewer, 'user'>) => failures.get(nameOf(key, user.id)),
    add: (key: string, { user }: Viewer, isRefusal: boolean) =>
      void failures.set(nameOf(key, user.id), { at: clock(), isRefusal }),
    forget: (key: string, { user }: Viewer) => void failures.delete(nameOf(key, user.id)),
    /** The present viewers whose tokens to try, in order. */
    candidates(key: string, viewers: Iterable<PresentViewer>, tokens: Tokens): PresentViewer[] {
      const candidates = new Map<string, PresentViewer>()
      for (const viewer of viewers) {
        const failure = failures.get(nameOf(key, viewer.user.id))
        const isDue = failure !== undefined && Math.abs(clock() - failure.at) >= RETRY_MS
        if (tokens === 'working' ? failure === undefined : isDue) candidates.set(viewer.user.id, viewer)
        if (candidates.size >= TRIED_MAX) break
      }
      return [...candidates.values()]
    }
  }
}
