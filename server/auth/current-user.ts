// Keeps a caller's user and roles current: no decision uses roles older than ROLES_MAX_AGE_SECONDS. All calls of a caller
// share one read. During an upstream outage the known roles count for a while; after a refusal they never do. The kind of
// caller decides where they are stored and what a refusal ends.
import { LRUCache } from 'lru-cache'
import type { User } from '#shared/entities.ts'
import { Problem, problems } from '../errors.ts'
import type { Clock } from '../types.ts'
import { createSingleFlight } from '../upstreams/single-flight.ts'
import { connectionProblem, isRefusal } from '../upstreams/transport/failures.ts'

/** Every call of the caller waits for the read: a hanging upstream must not delay them for longer. */
const READ_TIMEOUT_MS = 5_000
/** Delay before the next read after a failed one. */
const FAILURE_REMEMBERED_MS = 5_000
const FAILURES_REMEMBERED = 10_000
/** The same as for stale snapshots: an outage must not stop everybody at once. */
const KEPT_IN_OUTAGE_MS = 15 * 60_000
/** The session may or may not have ended. */
const STORE_AWAY = 'session_store_unavailable'
/** There was no token, so the upstream was not called and may be called again at once. */
const WITHOUT_TOKEN = [STORE_AWAY, 'authority_unavailable']

export interface KnownUser {
  user: User
  /** When the reading began, in milliseconds since 1970. */
  readAt: number
}

export interface UserSource {
  /** Ends when `limit` is aborted. */
  fetch: (limit: AbortSignal) => Promise<User>
  /** Stores the user and returns the one to use: the stored one may be newer. */
  keep: (read: KnownUser) => Promise<User>
  /** Ends the session or token that the upstream refuses. Returns the problem for the caller. */
  refuse: (problem: Problem) => Promise<Problem>
}

export type CurrentUsers = ReturnType<typeof createCurrentUsers>

/** @param maxAgeSeconds maximum age of the user and roles in a decision */
export function createCurrentUsers(maxAgeSeconds: number, clock: Clock) {
  // A refusal is shared too: it concerns every call of the caller.
  const reads = createSingleFlight<User | Problem>(clock)
  const failed = new LRUCache<string, Problem>({
    max: FAILURES_REMEMBERED,
    ttl: FAILURE_REMEMBERED_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const isWithin = (readAt: number, ms: number) => Math.abs(clock() - readAt) <= ms

  async function ask(
    name: string,
    { known, readAt }: { known: User | undefined; readAt: number },
    { fetch, keep, refuse }: UserSource
  ): Promise<User | Problem> {
    try {
      const user = await inTime(fetch)
      // Reject a token whose user differs from the session's.
      if (known && user.id !== known.id) throw problems.accountRefused()
      return await keep({ user, readAt })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (isRefusal(error)) return refuse(error)
      if (!WITHOUT_TOKEN.includes(error.id)) failed.set(name, error)
      return error
    }
  }

  return {
    /** Whether decisions may rest on a user that was read then. Costs nothing. */
    isRecent: (readAt: number | undefined): boolean =>
      readAt !== undefined && isWithin(readAt, maxAgeSeconds * 1000),
    /**
     * Reads again, once for all who ask under that name. Throws the problem of `refuse`, also for another person's answer; a
     * 503 problem when the upstream is out of reach and the known user is older than 15 minutes.
     */
    async read(name: string, known: KnownUser | undefined, source: UserSource): Promise<User> {
      // Without a known user, a call always waits for the next read.
      const kept = known && isWithin(known.readAt, KEPT_IN_OUTAGE_MS) ? known.user : undefined
      const result =
        (kept && failed.get(name)) ??
        (await reads.share(name, {
          fetch: (_gone, beganAt) => ask(name, { known: known?.user, readAt: beganAt }, source),
          keep: () => {}
        }))
      if (!(result instanceof Problem)) return result
      if (result.status === 401 || result.id === STORE_AWAY) throw result
      if (kept) return kept
      if (WITHOUT_TOKEN.includes(result.id)) throw result
      throw problems.rolesUnknown(FAILURE_REMEMBERED_MS / 1000, result)
    }
  }
}

/** Bounds the call and what comes before it, such as a token refresh. */
async function inTime<T>(work: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(READ_TIMEOUT_MS)
  const late = Promise.withResolvers<never>()
  const refuse = () => late.reject(connectionProblem(limit.reason))
  limit.addEventListener('abort', refuse, { once: true })
  try {
    return await Promise.race([work(limit), late.promise])
  } finally {
    limit.removeEventListener('abort', refuse)
  }
}
