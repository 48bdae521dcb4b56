// Sign-in, the session's state, sign-out. Each handler is a list of named steps; a sign-in that cannot finish leads to
// a page with a way on, never to an error page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SessionState, User } from '#shared/entities.ts'
import { Problem, problems } from '../errors.ts'
import type { CookieRules } from './cookies.ts'
import type { SignOut } from './logout.ts'
import type { Authority } from './oidc.ts'
import { safeReturnTo } from './return-to.ts'
import { endSession, sessionOf, startSession } from './session.ts'
import type { Session, SessionStore } from './session-store.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'
import type { TokenRefresher } from './token-refresh.ts'

interface Options {
  publicUrl: string
  sessions: SessionStore
  cookies: CookieRules
  authority: Authority
  attempts: SignInAttempts
  refresher: TokenRefresher
  signOut: SignOut
  /** Single-logout addresses that browsers load before they sign out (§2). */
  logoutFrames: readonly string[]
  fetchUser: (accessToken: string) => Promise<User>
}

type Reason = 'expired' | 'refused' | 'unavailable'
const signInFailed = (reason: Reason) => `/signin-failed?reason=${reason}`

export async function authRoutes(app: FastifyInstance, options: Options): Promise<void> {
  const { publicUrl, sessions, cookies, authority, attempts, refresher, signOut, logoutFrames, fetchUser } =
    options

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })

  const stateOf = (session: Session | null): SessionState => {
    const expires_in = session === null ? 0 : sessions.secondsLeft(session)
    return { authenticated: expires_in > 0, expires_in, expired: expires_in === 0 }
  }

  app.get('/auth/login', route('auth.login'), async (request, reply) => {
    const returnTo = safeReturnTo((request.query as Record<string, unknown>).returnTo, publicUrl)
    if (sessionOf(request) !== null) return reply.redirect(returnTo, 302)
    try {
      const attempt = await attempts.begin(request, reply, returnTo)
      return reply.redirect(await authority.signInUrl(attempt), 302)
    } catch (error) {
      return reply.redirect(failed(request, error), 302)
    }
  })

  app.get('/callback', route('auth.callback'), async (request, reply) => {
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
    if (attempt === null) return signInFailed('expired')
    const { tokens, subject, authoritySessionId } = await authority.finishSignIn(query, attempt)
    const user = await fetchUser(tokens.access)
    await startSession(request, { user, subject, authoritySessionId }, tokens)
    if (authoritySessionId !== null && (await sessions.hasEnded(authoritySessionId))) {
      await endSession(request, reply, cookies)
      return signInFailed('expired')
    }
    request.log.info({ userId: user.id }, 'signed in')
    return attempt.returnTo
  }

  app.get('/auth/session', route('auth.session'), async (request) => stateOf(sessionOf(request)))

  app.post('/auth/session/renew', route('auth.session.renew'), async (request) => {
    const session = sessionOf(request)
    if (session === null) throw problems.notSignedIn()
    await refresher.accessToken(session)
    await sessions.extend(session)
    return stateOf(await sessions.read(session.id))
  })

  app.get('/auth/logout/frames', route('auth.logout-frames'), async () => ({ frames: logoutFrames }))

  app.post('/auth/logout', route('auth.logout'), (request, reply) => leave(request, reply))

  /** The sessions of this person in other browsers end with this one. Their tokens cannot be read here, only dropped. */
  app.post('/auth/logout/everywhere', route('auth.logout-everywhere'), async (request, reply) => {
    const session = sessionOf(request)
    if (session === null) throw problems.notSignedIn()
    // The others first: with its own session gone, nobody could try again after trouble of the store.
    const others = await sessions.removeAll('subject', session.data.subject)
    request.log.info({ ended: others }, 'signed out everywhere')
    return leave(request, reply)
  })

  async function leave(request: FastifyRequest, reply: FastifyReply): Promise<{ redirect: string }> {
    const session = sessionOf(request)
    const redirect = session === null ? `${publicUrl}/signed-out` : await signOut(session)
    await endSession(request, reply, cookies)
    if (session) request.log.info({ userId: session.data.user.id }, 'signed out')
    return { redirect }
  }
}

const route = (id: string) => ({ config: { access: 'public' as const, id } })

/** The one `state` of a callback; null when it is missing or any parameter comes twice. */
function onlyState(query: string): string | null {
  const parameters = new URLSearchParams(query)
  const names = [...parameters.keys()]
  return new Set(names).size === names.length ? parameters.get('state') : null
}

function failed(request: FastifyRequest, error: unknown): string {
  const unavailable = error instanceof Problem && error.status >= 500
  request.log.warn({ err: error }, 'sign-in did not finish')
  return signInFailed(unavailable ? 'unavailable' : 'refused')
}
