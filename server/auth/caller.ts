// Who is calling: the bearer of a token, else the session's user, read anew when too old to decide by. Sets
// request.caller on every route that is not public.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { User } from '#shared/entities.ts'
import type { Caller } from '../types.ts'
import type { BearerCaller } from './bearer.ts'
import { sessionOf } from './sessions/plugin.ts'
import type { Session, SessionStore } from './sessions/store.ts'
import type { SessionUsers } from './sessions/user.ts'
import type { TokenRefresher } from './token-refresh.ts'

interface Options {
  sessions: SessionStore
  refresher: TokenRefresher
  users: SessionUsers
  bearerCaller: BearerCaller
}

export const callerPlugin = fp(async (app: FastifyInstance, options: Options) => {
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.access === 'public') return
    const { authorization } = request.headers
    const is = (caller: Caller) => {
      request.caller = caller
      caller.trace = request.trace
      return caller
    }
    // A call with a token is decided by the token alone, also when there is a cookie beside it.
    if (authorization !== undefined) {
      const admit = (id: string, subject: string) =>
        app.admit(request, reply, { kind: 'bearer', id, subject })
      is(await options.bearerCaller(authorization, request.method, admit))
      return
    }
    const session = sessionOf(request)
    if (session === null) return
    const caller = is(callerOf(session, options))
    await app.admit(request, reply, { kind: 'session', id: session.data.user.id })
    if (!options.users.isRecent(session)) await caller.rereadUser()
    // Calls that a page makes by itself must not keep the session alive (ASVS 7.3.1).
    if (request.headers[BACKGROUND_HEADER] === undefined) await options.sessions.touch(session)
  })
})

/** The client sets it on calls that no person has caused. A false one only shortens the caller's own session. */
const BACKGROUND_HEADER = 'x-portal-background'

function callerOf(session: Session, { refresher, users }: Options): Caller {
  let read: Promise<User> | undefined
  const caller: Caller = {
    kind: 'session',
    user: session.data.user,
    accessToken: () => refresher.accessToken(session),
    replaceToken: (refused) => refresher.replaceToken(session, refused),
    rereadUser() {
      read ??= users.read(session, caller).then((user) => {
        caller.user = user
        return user
      })
      return read
    }
  }
  return caller
}
