// Gives a finished sign-in its session: a new one, or the session of another tab that has just signed in. Refresh tokens of
// replaced sign-ins are revoked only when the session ends: many authorities revoke all tokens of the person together,
// including those of the new sign-in (RFC 7009, section 2.1).
import type { FastifyRequest } from 'fastify'
import type { AuthContext } from '../context.ts'
import { ATTEMPTS_MAX } from '../sign-in/attempts.ts'
import { sessionOf, startSession } from './plugin.ts'
import type { Session, SessionData, Tokens } from './store.ts'

/** Sign-ins of several tabs within this time share one session. */
const JUST_NOW_MS = 60_000
/** Maximum number of further refresh tokens: one for each tab that can be signing in. */
const FURTHER_TOKENS_MAX = ATTEMPTS_MAX
const JOINS_MAX = 3

type Options = Pick<AuthContext, 'sessions' | 'authority' | 'clock'>

/** Stores a sign-in. True if the sign-in shares the browser's existing session. */
export type SessionStart = (request: FastifyRequest, data: SessionData, tokens: Tokens) => Promise<boolean>

export function createSessionStart({ sessions, authority, clock }: Options): SessionStart {
  return async (request, data, tokens) => {
    const session = sessionOf(request)
    if (session?.data.subject !== data.subject) {
      await startSession(request, data, tokens)
      if (session !== null) void authority.revoke(session.tokens, session.data.furtherRefresh)
      return false
    }
    // Share the session: otherwise tabs that sign in at the same time would end each other's sessions and running calls.
    const isSameSignIn = session.data.authoritySessionId === data.authoritySessionId
    if (isSameSignIn && clock() - session.createdAt < JUST_NOW_MS && (await join(session, data, tokens)))
      return true
    const allTokens = refreshTokens(session.data, session.tokens.refresh)
    await startSession(request, keepNewestTokens(data, allTokens), tokens)
    return false
  }

  /** Adds the sign-in to the session; false if the session has ended meanwhile. */
  async function join(session: Session, data: SessionData, { refresh }: Tokens): Promise<boolean> {
    let current: Session | null = session
    for (let attempt = 0; attempt < JOINS_MAX && current !== null; attempt += 1) {
      const allTokens = refreshTokens(current.data, refresh)
      if (await sessions.replaceData(current, keepNewestTokens(data, allTokens))) return true
      current = await sessions.read(session.id)
    }
    return false
  }

  /** The data with the newest of the refresh tokens. Revokes the others. */
  function keepNewestTokens(data: SessionData, allTokens: readonly string[]): SessionData {
    const surplus = allTokens.slice(0, -FURTHER_TOKENS_MAX)
    if (surplus.length > 0) void authority.revoke(null, surplus)
    return { ...data, furtherRefresh: allTokens.slice(-FURTHER_TOKENS_MAX) }
  }
}

function refreshTokens({ furtherRefresh = [] }: SessionData, lastToken: string | null): string[] {
  return [...furtherRefresh, ...(lastToken === null ? [] : [lastToken])]
}
