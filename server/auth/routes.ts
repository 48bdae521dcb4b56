// Sign-in, the session's state, sign-out. Each handler is a list of named steps; a sign-in that cannot finish leads to
// a page with a way on, never to an error page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SessionState, Support, User } from '#shared/entities.ts'
import { problems } from '../errors.ts'
import type { Audit } from '../observability/audit.ts'
import type { Recorder, SignInOutcome } from '../observability/recorder.ts'
import type { Clock } from '../types.ts'
import type { Authority, SignedIn } from './authority/oidc-client.ts'
import type { SignOut } from './logout.ts'
import { createOwnSessionEnds, ownSessionRoutes } from './own-sessions.ts'
import { safeReturnTo } from './return-to.ts'
import { browserOf } from './sessions/browser.ts'
import type { CookieRules } from './sessions/cookies.ts'
import { endedFrom, endSession, sessionOf } from './sessions/plugin.ts'
import { createSessionStart } from './sessions/start.ts'
import type { Session, SessionData, SessionStore, Tokens } from './sessions/store.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'
import { type SignInFailure, signInFailure } from './sign-in-failures.ts'
import type { TokenRefresher } from './token-refresh.ts'

interface Options {
  publicUrl: string
  sessions: SessionStore
  cookies: CookieRules
  authority: Authority
  attempts: SignInAttempts
  refresher: TokenRefresher
  signOut: SignOut
  /** Single-logout addresses that browsers load before they sign out. */
  logoutFrames: readonly string[]
  support: Support
  fetchUser: (accessToken: string) => Promise<User>
  audit: Audit
  recorder: Recorder
  clock: Clock
  /** How many sessions a person may have at once. */
  sessionsPerPerson: number | undefined
}

export async function authRoutes(app: FastifyInstance, options: Options): Promise<void> {
  const { publicUrl, sessions, cookies, authority, attempts, refresher, signOut, logoutFrames, fetchUser } =
    options
  const { support, audit, recorder, clock, sessionsPerPerson } = options
  const ends = createOwnSessionEnds({ sessions, authority, audit, recorder })
  const startSession = createSessionStart({ sessions, authority, clock })

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })

  const stateOf = (session: Session | null, ended?: SessionState['ended']): SessionState => {
    const { seconds, final } = session === null ? { seconds: 0, final: false } : sessions.left(session)
    return {
      authenticated: seconds > 0,
      expires_in: seconds,
      expired: seconds === 0,
      ...(final && { final }),
      ...(ended && { ended })
    }
  }

  app.get('/auth/login', route('auth.login', REPLACES), async (request, reply) => {
    const returnTo = safeReturnTo((request.query as Record<string, unknown>).returnTo, publicUrl)
    if (sessionOf(request) !== null) return reply.redirect(returnTo, 302)
    try {
      const attempt = await attempts.begin(request, reply, returnTo)
      return reply.redirect(await authority.signInUrl(attempt), 302)
    } catch (error) {
      return reply.redirect(failed(request, error), 302)
    }
  })

  app.get('/callback', route('auth.callback', REPLACES), async (request, reply) => {
    const url = request.raw.url ?? ''
    const query = url.slice(url.indexOf('?') + 1)
    try {
      return reply.redirect(await finishSignIn(request, reply, query), 303)
    } catch (error) {
      return reply.redirect(failed(request, error), 303)
    }
  })

  async function finishSignIn(request: FastifyRequest, reply: FastifyReply, query: string): Promise<string> {
    const state = onlyState(query)
    const attempt = state === null ? null : await attempts.take(request, reply, state)
    // The address of a sign-in that is done, from the history of the browser.
    if (attempt === null && sessionOf(request) !== null) return publicUrl
    if (attempt === null) return signInFailed(request, 'expired')
    const { tokens, ...who } = await authority.finishSignIn(query, attempt)
    if (tokens.refresh === null) request.log.warn(NO_REFRESH_TOKEN)
    const { data, shared } = await filed(request, who, tokens)
    // Another tab's session is that tab's own matter: it ends, or was begun later.
    const undo = async () => {
      void authority.revoke(tokens)
      if (!shared) await endSession(request, reply, cookies)
    }
    // Asked only now that it is filed: whoever ends the person's sessions from here on finds this one. While nobody can
    // tell, nobody is signed in.
    const settled = async () => {
      if (await sessions.hasEndedSince(data, attempt.begunAt)) return true
      if (sessionsPerPerson !== undefined)
        await ends.endOldest(request, data, {
          sessions: sessionsPerPerson,
          name: sessions.nameOf(request.session.sessionId)
        })
      return false
    }
    const hasEnded = await settled().catch(async (error) => {
      await undo()
      throw error
    })
    if (hasEnded) {
      await undo()
      return signInFailed(request, 'expired', data.user)
    }
    recordSignIn(request, 'done', data.user)
    return attempt.returnTo
  }

  async function filed(request: FastifyRequest, who: Omit<SignedIn, 'tokens'>, tokens: Tokens) {
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

  app.get('/auth/session', route('auth.session'), async (request) =>
    stateOf(sessionOf(request), endedFrom(request))
  )

  app.post('/auth/session/renew', route('auth.session.renew'), async (request) => {
    const session = sessionOf(request)
    if (session === null) throw problems.notSignedIn()
    await refresher.accessToken(session)
    await sessions.extend(session)
    request.log.debug('a session was prolonged')
    return stateOf(await sessions.read(session.id))
  })

  app.get('/auth/logout/frames', route('auth.logout-frames'), async () => ({ frames: logoutFrames }))

  /** Whom to ask for help, also where nobody can sign in. */
  app.get('/auth/support', route('auth.support'), async () => support)

  app.post('/auth/logout', route('auth.logout', REPLACES), (request, reply) => leave(request, reply))

  /**
   * The sessions of this person in other browsers end with this one. What they held opens with their own cookies only, so
   * it is dropped and cannot be handed back; nobody else can use it either.
   */
  app.post('/auth/logout/everywhere', route('auth.logout-everywhere'), async (request, reply) => {
    const session = sessionOf(request)
    if (session === null) throw problems.notSignedIn()
    // The others first: with its own session gone, nobody could try again after trouble of the store.
    const others = await sessions.removeAll(
      'subject',
      session.data.subject,
      'person',
      sessions.nameOf(session.id)
    )
    recordSignOut(request, session, others)
    return leave(request, reply)
  })

  await app.register(ownSessionRoutes, { sessions, ends, leave })

  /** What the browser has kept of answers and pages goes as well: the next person at it must not come back to them. */
  async function leave(request: FastifyRequest, reply: FastifyReply): Promise<{ redirect: string }> {
    const session = sessionOf(request)
    const redirect = session === null ? `${publicUrl}/signed-out` : await signOut(session)
    await endSession(request, reply, cookies)
    reply.header('clear-site-data', '"cache"')
    if (session) recordSignOut(request, session, 1)
    return { redirect }
  }

  function recordSignIn(
    request: FastifyRequest,
    outcome: SignInOutcome,
    user: User | null,
    reason?: string
  ): void {
    const why = reason === undefined ? {} : { reason }
    audit({ event: 'sign-in', userId: user?.id ?? null, outcome, ...why, ...originOf(request) })
    recorder.signIn(outcome)
  }

  function recordSignOut(request: FastifyRequest, session: Session, ended: number): void {
    const { id } = session.data.user
    audit({
      event: 'sign-out',
      userId: id,
      target: { sessions: ended },
      outcome: 'done',
      ...originOf(request)
    })
    recorder.signOut('person', ended)
  }

  /** The page that says so. */
  function signInFailed(request: FastifyRequest, reason: SignInOutcome, user: User | null = null): string {
    recordSignIn(request, reason, user)
    return pageOf(request, reason)
  }

  function failed(request: FastifyRequest, error: unknown): string {
    const { outcome, by, reason } = signInFailure(error)
    request.log.warn({ err: error, outcome, by, reason }, 'sign-in did not finish')
    recordSignIn(request, outcome, null, reason)
    return pageOf(request, outcome, by)
  }
}

const NO_REFRESH_TOKEN =
  'signed in without a refresh token, so the session ends with its access token: have offline_access granted, or set OIDC_AUTHORIZATION_PARAMS=prompt=consent'

const originOf = (request: FastifyRequest) => ({ requestId: request.id, clientIp: request.ip })

/** The page that says why, and gives support something to look for. */
function pageOf(request: FastifyRequest, reason: SignInOutcome, by?: SignInFailure['by']): string {
  const query = new URLSearchParams({ reason, ...(by && { by }), request: request.id })
  return `/signin-failed?${query}`
}

const REPLACES = { replacesSession: true }

const route = (id: string, more: { replacesSession?: boolean } = {}) => ({
  config: { access: 'public' as const, id, ...more }
})

/** The one `state` of a callback; null when it is missing or any parameter comes twice. */
function onlyState(query: string): string | null {
  const parameters = new URLSearchParams(query)
  const names = [...parameters.keys()]
  return new Set(names).size === names.length ? parameters.get('state') : null
}
