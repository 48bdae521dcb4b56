// Runs a sign-in from its start to its session. A failed sign-in redirects to a page of the client, never to an error answer.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#shared/answers/portal.ts'
import { Problem } from '../../errors.ts'
import type { SignInOutcome } from '../../observability/recorder.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import type { SignedIn } from '../authority/oidc-client.ts'
import type { AuthContext } from '../context.ts'
import type { OwnSessionEnds } from '../own-sessions.ts'
import { browserOf, networkOf } from '../sessions/browser.ts'
import type { CookieRules } from '../sessions/cookies.ts'
import { endSession, sessionOf } from '../sessions/plugin.ts'
import { createSessionStart } from '../sessions/start.ts'
import type { SessionData, Tokens } from '../sessions/store.ts'
import type { SignInAttempts } from './attempts.ts'
import { type SignInFailure, signInFailure } from './failures.ts'
import type { SignInQueue } from './queue.ts'

interface Options
  extends Pick<AuthContext, 'config' | 'sessions' | 'authority' | 'audit' | 'recorder' | 'clock'> {
  cookies: CookieRules
  attempts: SignInAttempts
  ends: OwnSessionEnds
  queue: SignInQueue
  fetchUser: (accessToken: string) => Promise<User>
}

export type SignIn = ReturnType<typeof createSignIn>

const NO_REFRESH_TOKEN =
  'signed in without a refresh token, so the session ends with its access token: have offline_access granted, or set OIDC_AUTHORIZATION_PARAMS=prompt=consent'

/** A failure redirects to the failure page. The methods reject only if the browser has left the queue. */
export function createSignIn(options: Options) {
  const { sessions, cookies, authority, attempts, ends, queue, fetchUser, audit, recorder, clock } = options
  const { PUBLIC_URL, SESSIONS_PER_PERSON } = options.config
  const startSession = createSessionStart({ sessions, authority, clock })

  async function begin(request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<string> {
    await authority.reach()
    return authority.signInUrl(await attempts.begin(request, reply, returnTo))
  }

  async function finish(request: FastifyRequest, reply: FastifyReply, query: string): Promise<string> {
    const state = onlyState(query)
    // Needs no place in the queue, where callbacks that anybody can make up would delay others.
    if (state === null || !attempts.isOwn(request, state)) return withoutAttempt(request)
    // A disconnected caller has no address.
    return queue(() => finishAttempt(request, reply, query, state), request.ip ?? '', disconnectSignal(reply))
  }

  async function finishAttempt(
    request: FastifyRequest,
    reply: FastifyReply,
    query: string,
    state: string
  ): Promise<string> {
    const attempt = await attempts.take(request, reply, state)
    if (attempt === null) return withoutAttempt(request)
    const { tokens, ...identity } = await authority.finishSignIn(query, attempt)
    if (tokens.refresh === null) request.log.warn(NO_REFRESH_TOKEN)
    const { data, isShared } = await store(request, identity, tokens)
    // Ends the new session also if `confirm` throws.
    let isValid = false
    try {
      isValid = await confirm(request, data, attempt.begunAt)
    } finally {
      if (!isValid) {
        void authority.revoke(tokens)
        // Keep a session that is shared with another tab.
        if (!isShared) await endSession(request, reply, cookies)
      }
    }
    if (!isValid) return expiredPage(request, data.user)
    record(request, 'done', data.user)
    return attempt.returnTo
  }

  /** The callback of a finished sign-in may have been opened again from the browser's history. */
  const withoutAttempt = (request: FastifyRequest): string =>
    sessionOf(request) === null ? expiredPage(request, null) : PUBLIC_URL

  /** Runs after the session is stored, so that later sign-outs find it. False if the person's sessions ended meanwhile. */
  async function confirm(request: FastifyRequest, data: SessionData, begunAt: number): Promise<boolean> {
    if (await sessions.hasEndedSince(data, begunAt)) return false
    const name = sessions.nameOf(request.session.sessionId)
    await ends.endOldest(request, data, { sessions: SESSIONS_PER_PERSON, name })
    return true
  }

  async function store(request: FastifyRequest, identity: Omit<SignedIn, 'tokens'>, tokens: Tokens) {
    const hasNoSession = sessionOf(request) === null
    try {
      const userRead = { at: clock(), tokens: 1 }
      const browser = { ...browserOf(request.headers['user-agent']), network: networkOf(request.ip) }
      const data: SessionData = { ...identity, user: await fetchUser(tokens.access), userRead, browser }
      return { data, isShared: await startSession(request, data, tokens) }
    } catch (error) {
      // Keeps the tokens if another session is open: some authorities would end that session too.
      if (hasNoSession) void authority.revoke(tokens)
      throw error
    }
  }

  function record(request: FastifyRequest, outcome: SignInOutcome, user: User | null, reason?: string): void {
    const why = reason === undefined ? {} : { reason }
    const origin = { requestId: request.id, clientIp: request.ip }
    audit({ event: 'sign-in', userId: user?.id ?? null, outcome, ...why, ...origin })
    recorder.signIn(outcome)
  }

  function expiredPage(request: FastifyRequest, user: User | null): string {
    record(request, 'expired', user)
    return failurePage(request, 'expired')
  }

  const failureOf = (request: FastifyRequest, reply: FastifyReply, returnTo?: string) => (error: unknown) => {
    // The sign-in has not failed: the browser may send the callback again, with the same code.
    if (error instanceof Problem && error.id === 'client_gone') throw error
    const { outcome, by, reason, retryAfterSeconds } = signInFailure(error)
    request.log.warn({ err: error, outcome, by, reason }, 'sign-in did not finish')
    record(request, outcome, null, reason)
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    return failurePage(request, outcome, { by, waitSeconds: retryAfterSeconds, returnTo })
  }

  return {
    /** The address of the authority's page. */
    begin: (request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<string> =>
      begin(request, reply, returnTo).catch(failureOf(request, reply, returnTo)),
    /** The address to redirect to after a callback with that query. */
    finish: (request: FastifyRequest, reply: FastifyReply, query: string): Promise<string> =>
      finish(request, reply, query).catch(failureOf(request, reply)),
    /** The address to redirect to after a failure before `begin` or `finish`; `returnTo` as for `begin`. */
    fail: (request: FastifyRequest, reply: FastifyReply, error: unknown, returnTo?: string): string =>
      failureOf(request, reply, returnTo)(error)
  }
}

interface FailureDetails {
  by?: SignInFailure['by']
  waitSeconds?: number | undefined
  /** Set if the sign-in has not begun. The page then repeats it by itself, because no code has been used. */
  returnTo?: string | undefined
}

/** The address of the failure page, with the reason, and the request id for support. */
function failurePage(request: FastifyRequest, reason: SignInOutcome, more: FailureDetails = {}): string {
  const { by, waitSeconds, returnTo } = more
  const query = new URLSearchParams({ reason, ...(by && { by }) })
  if (waitSeconds !== undefined) query.set('wait', `${waitSeconds}`)
  query.set('request', request.id)
  if (returnTo !== undefined) query.set('returnTo', returnTo)
  return `/signin-failed?${query}`
}

/** The `state` of a callback; null if it is missing or any parameter is given twice. */
function onlyState(query: string): string | null {
  const parameters = new URLSearchParams(query)
  const names = [...parameters.keys()]
  return new Set(names).size === names.length ? parameters.get('state') : null
}
