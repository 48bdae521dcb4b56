// Reads the user of a session and stores it there. A refusal of the upstream ends the session. current-user.ts decides when a
// user is too old.
import type { User } from '#shared/answers/portal.ts'
import { Problem, problems } from '../../errors.ts'
import type { Bearer } from '../../upstreams/client.ts'
import type { AuthContext } from '../context.ts'
import type { CurrentUsers, KnownUser } from '../current-user.ts'
import type { Session } from './store.ts'

const SAVES_MAX = 3

interface Options extends Pick<AuthContext, 'sessions' | 'audit' | 'recorder'> {
  currentUsers: CurrentUsers
  fetchUser: (bearer: Bearer, limit: AbortSignal) => Promise<User>
}

export type SessionUsers = ReturnType<typeof createSessionUsers>

export function createSessionUsers({ sessions, currentUsers, fetchUser, audit, recorder }: Options) {
  /** Stores the user unless a newer one is stored. Returns the stored user. */
  async function keep(session: Session, { user, readAt }: KnownUser): Promise<User> {
    const userRead = { at: readAt, tokens: session.version }
    let stored: Session | null = session
    for (let attempt = 0; attempt < SAVES_MAX; attempt += 1) {
      if (await sessions.replaceData(stored, { ...stored.data, user, userRead })) return user
      stored = await sessions.read(session.id)
      if (stored === null) throw problems.notSignedIn()
      if ((stored.data.userRead?.at ?? 0) >= readAt) return stored.data.user
    }
    return user
  }

  /** Fetches the user. A token may expire on its way, so only a 401 to two tokens is about the account. */
  async function fetch(bearer: Bearer, limit: AbortSignal): Promise<User> {
    let wasReplaced = false
    const replaceToken = async (refusedToken: string) => {
      const newToken = await bearer.replaceToken(refusedToken)
      wasReplaced = newToken !== null
      return newToken
    }
    try {
      return await fetchUser({ ...bearer, replaceToken }, limit)
    } catch (error) {
      const isRefused = error instanceof Problem && error.options.upstreamStatus === 401
      throw isRefused && !wasReplaced ? problems.upstreamUnreachable(error) : error
    }
  }

  async function refuse({ id, data }: Session, problem: Problem): Promise<Problem> {
    // The session had already ended.
    if (problem.id === 'not_signed_in') return problem
    if (await sessions.remove(id)) {
      audit({ event: 'sign-out', userId: data.user.id, outcome: 'refused by the upstream' })
      recorder.signOut('upstream', 1)
    }
    return problems.accountRefused(problem)
  }

  return {
    /** Whether the session's user is recent enough for decisions. After a token refresh, the user must be read again. */
    isRecent: ({ id, data: { userRead }, version }: Session): boolean =>
      userRead?.tokens === version && currentUsers.isRecent(id, userRead.at),
    /** Reads the user again. Throws 401 if the session is over, 503 if the upstream or the store fails. */
    read: (session: Session, bearer: Bearer): Promise<User> => {
      const { user, userRead } = session.data
      const readAt = userRead?.at ?? Number.NEGATIVE_INFINITY
      return currentUsers.read(
        session.id,
        { user, readAt },
        {
          fetch: (limit) => fetch(bearer, limit),
          keep: (read) => keep(session, read),
          refuse: (problem) => refuse(session, problem)
        }
      )
    }
  }
}
