// Keeps a caller's user and roles current: no decision uses roles older than ROLES_MAX_AGE_SECONDS. All calls of a caller
// share one read. During an upstream outage, known roles stay valid for a while; after a refusal they do not. Sessions and
// bearer tokens store their users in different places (UserSource).
import { LRUCache } from 'lru-cache'
import type { User } from '#shared/answers/portal.ts'
import { Problem, problems } from '../errors.ts'
import type { Clock } from '../types.ts'
import { createSingleFlight } from '../upstreams/single-flight.ts'
import { isRefusal, STORE_FAILED, WITHOUT_TOKEN } from '../upstreams/transport/failures.ts'

/** Delay before the next read after a failed one. */
const RETRY_AFTER_MS = 5_000
const FAILURES_MAX = 10_000
/** One per session in use, and a few more. */
const READS_MAX = 50_000
/** Maximum age of roles during an outage, the same as that of stale snapshots. */
const OUTAGE_MAX_AGE_MS = 15 * 60_000

export interface KnownUser {
  user: User
  /** The start of the read, in milliseconds since 1970. */
  readAt: number
}

export interface UserSource {
  /** Rejects when `limit` is aborted. */
  fetch: (limit: AbortSignal) => Promise<User>
  /** Stores the user unless a newer one is stored. Returns the stored user. */
  keep: (read: KnownUser) => Promise<User>
  /** Ends the session or token that the upstream refused. Returns the problem for the caller. */
  refuse: (problem: Problem) => Promise<Problem>
}

export type CurrentUsers = ReturnType<typeof createCurrentUsers>

interface Options {
  /** Maximum age of the user and roles in a decision. */
  maxAgeSeconds: number
  clock: Clock
  steadyClock: Clock
  /** Time limit of a read. */
  timeoutMs: number
}

export function createCurrentUsers({ maxAgeSeconds, clock, steadyClock, timeoutMs }: Options) {
  // Refusals are shared like users, because they apply to every call of the caller.
  const reads = createSingleFlight<User | Problem>(clock)
  const failures = new LRUCache<string, Problem>({
    max: FAILURES_MAX,
    ttl: RETRY_AFTER_MS,
    perf: { now: steadyClock },
    ttlResolution: 0
  })
  /** When this process did a read, or first saw that of another replica, by the steady clock. */
  const seenAt = new LRUCache<string, number>({ max: READS_MAX })
  const nameOf = (key: string, readAt: number) => `${readAt} ${key}`

  /** Whether both clocks agree: the shared one may stand still, and the steady one stops while the machine sleeps. */
  function isWithin(key: string, readAt: number, ms: number): boolean {
    const name = nameOf(key, readAt)
    const steadyNow = steadyClock()
    const steadyAt = seenAt.get(name) ?? steadyNow
    seenAt.set(name, steadyAt)
    return Math.abs(clock() - readAt) <= ms && steadyNow - steadyAt <= ms
  }

  async function readUser(
    key: string,
    { known, readAt }: { known: User | undefined; readAt: number },
    { fetch, keep, refuse }: UserSource
  ): Promise<User | Problem> {
    const steadyAt = steadyClock()
    try {
      const user = await fetch(AbortSignal.timeout(timeoutMs))
      // Reject a token whose user differs from the session's.
      if (known && user.id !== known.id) throw problems.accountRefused()
      const storedUser = await keep({ user, readAt })
      // While the shared clock stands still, this read has the same time as the one before.
      if (storedUser === user) seenAt.set(nameOf(key, readAt), steadyAt)
      return storedUser
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (isRefusal(error)) return refuse(error)
      // Without a token, the next call may try at once.
      if (!WITHOUT_TOKEN.includes(error.id)) failures.set(key, error)
      return error
    }
  }

  return {
    /** Whether decisions may use the user of that key, read at that time. */
    isRecent: (key: string, readAt: number | undefined): boolean =>
      readAt !== undefined && isWithin(key, readAt, maxAgeSeconds * 1000),
    /**
     * Reads the user again, once for all concurrent calls with that key. Throws the problem of `refuse` after a refusal or if
     * the answer is another user, and a 503 problem if the upstream fails and the known user is older than 15 minutes.
     */
    async read(key: string, known: KnownUser | undefined, source: UserSource): Promise<User> {
      // Without a usable user, a call always waits for a new read, even soon after a failed one.
      const usableUser = known && isWithin(key, known.readAt, OUTAGE_MAX_AGE_MS) ? known.user : undefined
      const result =
        (usableUser && failures.get(key)) ??
        (await reads.share(key, {
          fetch: (_signal, beganAt) => readUser(key, { known: known?.user, readAt: beganAt }, source),
          keep: () => {}
        }))
      if (!(result instanceof Problem)) return result
      if (result.status === 401 || result.id === STORE_FAILED) throw result
      if (usableUser) return usableUser
      if (WITHOUT_TOKEN.includes(result.id)) throw result
      throw problems.rolesUnknown(RETRY_AFTER_MS / 1000, result)
    }
  }
}
