// A sign-in from its begin to its session. One that cannot finish leads to a page with a way on, never to an error page.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#shared/entities.ts'
import type { Audit } from '../../observability/audit.ts'
import type { Recorder, SignInOutcome } from '../../observability/recorder.ts'
import type { Clock } from '../../types.ts'
import type { Authority, SignedIn } from '../authority/oidc-client.ts'
import type { OwnSessionEnds } from '../own-sessions.ts'
import { browserOf } from '../sessions/browser.ts'
import type { CookieRules } from '../sessions/cookies.ts'
import { endSession, sessionOf } from '../sessions/plugin.ts'
import { createSessionStart } from '../sessions/start.ts'
import type { SessionData, SessionStore, Tokens } from '../sessions/store.ts'
import type { SignInAttempts } from './attempts.ts'
import { type SignInFailure, signInFailure } from './failures.ts'

interface Options {
  publicUrl: string
  sessions: SessionStore
  cookies: CookieRules
  authority: Authority
  attempts: SignInAttempts
  ends: OwnSessionEnds
  fetchUser: (accessToken: string) => Promise<User>
  audit: Audit
  recorder: Recorder
  clock: Clock
  /** How many sessions a person may have at once. */
  sessionsPerPerson: number | undefined
}

export type SignIn = ReturnType<typeof createSignIn>

const NO_REFRESH_TOKEN =
  'signed in without a refresh token, so the session ends with its access token: have offline_access granted, or set OIDC_AUTHORIZATION_PARAMS=prompt=consent'

/** Neither call rejects: a failure is a page too. */
export function createSignIn(options: Options) {
  const { publicUrl, sessions, cookies, authority, attempts, ends, fetchUser } = options
  const { audit, recorder, clock, sessionsPerPerson } = options
  const startSession = createSessionStart({ sessions, authority, clock })

  async function finish(request: FastifyRequest, reply: FastifyReply, query: string): Promise<string> {
    const state = onlyState(query)
    const attempt = state === null ? null : await attempts.take(request, reply, state)
    // The address of a sign-in that is done, from the history of the browser.
    if (attempt === null && sessionOf(request) !== null) return publicUrl
    if (attempt === null) return expired(request, null)
    const { tokens, ...who } = await authority.finishSignIn(query, attempt)
    if (tokens.refresh === null) request.log.warn(NO_REFRESH_TOKEN)
    const { data, shared } = await file(request, who, tokens)
    // While nobody can tell, nobody is signed in.
    let isValid = false
    try {
      isValid = await settle(request, data, attempt.begunAt)
    } finally {
      if (!isValid) {
        void authority.revoke(tokens)
        // Another tab's session is that tab's own matter: it ends, or was begun later.
        if (!shared) await endSession(request, reply, cookies)
      }
    }
    if (!isValid) return expired(request, data.user)
    record(request, 'done', data.user)
    return attempt.returnTo
  }

  /** Asked once the session is filed: any later end of the person's sessions finds it. False when they ended meanwhile. */
  async function settle(request: FastifyRequest, data: SessionData, begunAt: number): Promise<boolean> {
    if (await sessions.hasEndedSince(data, begunAt)) return false
    const name = sessions.nameOf(request.session.sessionId)
    if (sessionsPerPerson !== undefined)
      await ends.endOldest(request, data, { sessions: sessionsPerPerson, name })
    return true
  }

  async function file(request: FastifyRequest, who: Omit<SignedIn, 'tokens'>, tokens: Tokens) {
    const alone = sessionOf(request) === null
    try {
      const userRead = { at: clock(), tokens: 1 }
      const browser = browserOf(request.headers['user-agent'])
      const data: SessionData = { ...who, user: await fetchUser(tokens.access), userRead, browser }
      return { data, shared: await startSession(request, data, tokens) }
    } catch (error) {
      // Beside another session it could end that one as well, at some authorities.
      if (alone) void authority.revoke(tokens)
      throw error
    }
  }

  function record(request: FastifyRequest, outcome: SignInOutcome, user: User | null, reason?: string): void {
    const why = reason === undefined ? {} : { reason }
    const origin = { requestId: request.id, clientIp: request.ip }
    audit({ event: 'sign-in', userId: user?.id ?? null, outcome, ...why, ...origin })
    recorder.signIn(outcome)
  }

  function expired(request: FastifyRequest, user: User | null): string {
    record(request, 'expired', user)
    return failurePage(request, 'expired')
  }

  const failed = (request: FastifyRequest) => (error: unknown) => {
    const { outcome, by, reason } = signInFailure(error)
    request.log.warn({ err: error, outcome, by, reason }, 'sign-in did not finish')
    record(request, outcome, null, reason)
    return failurePage(request, outcome, by)
  }

  return {
    /** The authority's page. */
    begin: (request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<string> =>
      attempts.begin(request, reply, returnTo).then(authority.signInUrl).catch(failed(request)),
    /** The page that follows the callback with that query. */
    finish: (request: FastifyRequest, reply: FastifyReply, query: string): Promise<string> =>
      finish(request, reply, query).catch(failed(request))
  }
}

/** Says why, and gives support something to look for. */
function failurePage(request: FastifyRequest, reason: SignInOutcome, by?: SignInFailure['by']): string {
  const query = new URLSearchParams({ reason, ...(by && { by }), request: request.id })
  return `/signin-failed?${query}`
}

/** The one `state` of a callback; null when it is missing or any parameter comes twice. */
function onlyState(query: string): string | null {
  const parameters = new URLSearchParams(query)
  const names = [...parameters.keys()]
  return new Set(names).size === names.length ? parameters.get('state') : null
}
