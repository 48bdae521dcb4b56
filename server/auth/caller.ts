// Sets request.caller on every route that is not public: the bearer of a token, else the session's user with current roles.
// Long and background work asks the caller object whether the work may continue.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { User } from '#shared/answers/portal.ts'
import { problems } from '../errors.ts'
import type { Caller } from '../types.ts'
import { connectionShare } from '../upstreams/transport/pools.ts'
import type { BearerCaller } from './bearer.ts'
import type { AuthContext } from './context.ts'
import { sessionOf } from './sessions/plugin.ts'
import type { Session } from './sessions/store.ts'
import type { SessionUsers } from './sessions/user.ts'
import type { TokenRefresher } from './token-refresh.ts'

interface Options extends Pick<AuthContext, 'sessions' | 'steadyClock'> {
  refresher: TokenRefresher
  users: SessionUsers
  bearerCaller: BearerCaller
}

/** Age at which a session is read again, so that a sign-out on any replica stops long work within 2 s. */
const SESSION_FRESH_MS = 1_000

export const callerPlugin = fp(async (app: FastifyInstance, options: Options) => {
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.access === 'public') return
    const { authorization } = request.headers
    // If the request has a token, its cookie is ignored.
    if (authorization !== undefined) {
      const admit = (id: string, subject: string) =>
        app.admit(request, reply, { kind: 'bearer', id, subject })
      request.caller = await options.bearerCaller(authorization, request.method, admit)
      return
    }
    const session = sessionOf(request)
    if (session === null) return
    const caller = callerOf(session, options)
    request.caller = caller
    await app.admit(request, reply, { kind: 'session', id: session.data.user.id })
    await caller.currentUser()
    // Calls without user activity must not keep the session alive (ASVS 7.3.1).
    const isBackground =
      request.headers[BACKGROUND_HEADER] !== undefined || request.routeOptions.config.isStream
    if (!isBackground) await options.sessions.touch(session)
  })
})

/** The client sets this header on calls without user activity. */
const BACKGROUND_HEADER = 'x-portal-background'

function callerOf(requestSession: Session, { sessions, refresher, users, steadyClock }: Options): Caller {
  let session = requestSession
  let readAt = steadyClock()
  let sessionRead: Promise<void> | undefined
  let userRead: Promise<User> | undefined

  async function readAgain(): Promise<void> {
    const begunAt = steadyClock()
    const newSession = await sessions.read(session.id)
    if (newSession === null) throw problems.notSignedIn('Your session has ended. Sign in again.')
    session = newSession
    caller.user = session.data.user
    readAt = begunAt
    userRead = undefined
  }

  const caller: Caller = {
    kind: 'session',
    sessionName: sessions.nameOf(requestSession.id),
    user: session.data.user,
    share: connectionShare({ kind: 'session', user: session.data.user }),
    accessToken: () => refresher.accessToken(session),
    replaceToken: (refused) => refresher.replaceToken(session, refused),
    async assertSignedIn() {
      if (steadyClock() - readAt < SESSION_FRESH_MS) return
      sessionRead ??= readAgain().finally(() => {
        sessionRead = undefined
      })
      await sessionRead
    },
    async currentUser() {
      await caller.assertSignedIn()
      if (userRead !== undefined || !users.isRecent(session)) return caller.rereadUser()
      caller.user = session.data.user
      return caller.user
    },
    rereadUser() {
      userRead ??= users.read(session, caller).then((user) => {
        caller.user = user
        return user
      })
      return userRead
    }
  }
  return caller
}
