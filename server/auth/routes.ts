// The routes of sign-in, session state and sign-out.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Support } from '#shared/answers/portal.ts'
import { LogoutFrames, SessionState, SignedOut } from '#shared/answers/session.ts'
import { safeReturnTo } from '#shared/return-to.ts'
import { handleError, Problem } from '../errors.ts'
import type { AuthContext } from './context.ts'
import type { SignOut } from './logout.ts'
import { type OwnSessionEnds, ownSessionRoutes } from './own-sessions.ts'
import type { CookieRules } from './sessions/cookies.ts'
import { endedFrom, endSession, sessionOf, signedIn } from './sessions/plugin.ts'
import type { Session } from './sessions/store.ts'
import type { SignIn } from './sign-in/sign-in.ts'
import type { TokenRefresher } from './token-refresh.ts'

interface Options extends Pick<AuthContext, 'config' | 'sessions'> {
  cookies: CookieRules
  signIn: SignIn
  refresher: TokenRefresher
  signOut: SignOut
  ends: OwnSessionEnds
  support: Support
}

export async function authRoutes(app: FastifyInstance, options: Options): Promise<void> {
  const { config, sessions, cookies, signIn, refresher, signOut, ends, support } = options
  const { PUBLIC_URL: publicUrl, LOGOUT_URLS: frames = [] } = config

  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })

  const stateOf = (session: Session | null, ended?: SessionState['ended']): SessionState => {
    const { seconds, final } = session === null ? { seconds: 0, final: false } : sessions.timeLeft(session)
    return {
      authenticated: seconds > 0,
      expires_in: seconds,
      expired: seconds === 0,
      ...(final && { final }),
      ...(ended && { ended })
    }
  }

  /** Signs out and clears the browser's cache, so that the next person at the browser cannot see old pages and answers. */
  async function endOwnSession(request: FastifyRequest, reply: FastifyReply): Promise<SignedOut> {
    const session = sessionOf(request)
    const redirect = session === null ? `${publicUrl}/signed-out` : await signOut(session)
    await endSession(request, reply, cookies)
    reply.header('clear-site-data', '"cache"')
    if (session) ends.record(request, session.data, 1, 'done')
    return { redirect }
  }

  const returnToOf = ({ query }: FastifyRequest): string =>
    safeReturnTo((query as Record<string, unknown>).returnTo, publicUrl)

  /** For routes that browsers navigate to: redirects to a page if the session cannot be read. */
  function errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (!(error instanceof Problem) || error.id !== 'session_store_unavailable')
      return handleError(error, request, reply)
    const returnTo = request.routeOptions.config.id === 'auth.login' ? returnToOf(request) : undefined
    return reply.redirect(signIn.fail(request, reply, error, returnTo), 303)
  }

  app.get('/auth/login', { ...route('auth.login'), errorHandler }, async (request, reply) => {
    const returnTo = returnToOf(request)
    const isSignedIn = sessionOf(request) !== null
    return reply.redirect(isSignedIn ? returnTo : await signIn.begin(request, reply, returnTo), 302)
  })

  app.get('/callback', { ...route('auth.callback'), errorHandler }, async (request, reply) => {
    const url = request.raw.url ?? ''
    return reply.redirect(await signIn.finish(request, reply, url.slice(url.indexOf('?') + 1)), 303)
  })

  app.get('/auth/session', route('auth.session', SessionState), async (request) =>
    stateOf(sessionOf(request), endedFrom(request))
  )

  app.post('/auth/session/renew', route('auth.session.renew', SessionState), async (request) => {
    const session = signedIn(request)
    await refresher.accessToken(session)
    await sessions.extend(session)
    request.log.debug('a session was extended')
    return stateOf(await sessions.read(session.id))
  })

  /** Addresses for single logout. */
  app.get('/auth/logout/frames', route('auth.logout-frames', LogoutFrames), async () => ({ frames }))

  /** Support contacts, available without a session. */
  app.get('/auth/support', route('auth.support', Support), async () => support)

  app.post('/auth/logout', route('auth.logout', SignedOut), endOwnSession)

  await app.register(ownSessionRoutes, { sessions, ends, endOwnSession })
}

/** @param answer without it the route answers without a body */
const route = (id: string, answer?: TSchema) => ({
  config: { access: 'public' as const, id },
  schema: answer ? { response: { 200: answer } } : {}
})
