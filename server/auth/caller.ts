// Who is calling: the bearer of a token, else the session's user. Sets request.caller on every route that is not public.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { User } from '#shared/entities.ts'
import { problems } from '../errors.ts'
import type { Caller } from '../types.ts'
import type { Bearer } from '../upstreams/bodies.ts'
import type { BearerCaller } from './bearer.ts'
import { sessionOf } from './session.ts'
import type { Session, SessionStore } from './session-store.ts'
import type { TokenRefresher } from './token-refresh.ts'

interface Options {
  sessions: SessionStore
  refresher: TokenRefresher
  fetchUser: (bearer: Bearer) => Promise<User>
  bearerCaller: BearerCaller
}

export const callerPlugin = fp(async (app: FastifyInstance, options: Options) => {
  app.decorateRequest('caller', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.routeOptions.config.access === 'public') return done()
    const { authorization } = request.headers
    const is = (caller: Caller) => {
      request.caller = caller
      caller.trip = request.trip
    }
    // Whoever brings a token is judged by it alone: a cookie beside it counts for nothing.
    if (authorization !== undefined)
      return void options
        .bearerCaller(authorization, request.method, (id, subject) =>
          app.admit(request, reply, { kind: 'bearer', id, subject })
        )
        .then((caller) => done(void is(caller)), done)
    const session = sessionOf(request)
    if (session === null) return done()
    is(callerOf(session, options))
    const admitted = app.admit(request, reply, { kind: 'session', id: session.data.user.id })
    // What a page asks by itself, with nobody at it, must not keep the session alive (ASVS 7.3.1).
    const byHand = request.headers[BACKGROUND_HEADER] === undefined
    admitted.then(() => (byHand ? options.sessions.touch(session) : null)).then(() => done(), done)
  })
})

/** Set by the client on calls that no person has caused. Whoever lies with it only shortens their own session. */
const BACKGROUND_HEADER = 'x-portal-background'

const REREADS_MAX = 3

function callerOf(session: Session, { sessions, refresher, fetchUser }: Options): Caller {
  const caller: Caller = {
    kind: 'session',
    user: session.data.user,
    accessToken: () => refresher.accessToken(session),
    replaceToken: (refused) => refresher.replaceToken(session, refused),
    async rereadUser() {
      // A slow answer must not take the place of a newer one: what was read is replaced, or it is asked again.
      let current: Session | null = session
      for (let attempt = 0; attempt < REREADS_MAX && current !== null; attempt += 1) {
        const user = await fetchUser(caller)
        const same = JSON.stringify(user) === JSON.stringify(current.data.user)
        if (same || (await sessions.replaceData(current, { ...current.data, user }))) {
          caller.user = user
          return user
        }
        current = await sessions.read(session.id)
      }
      if (current === null) throw problems.notSignedIn()
      caller.user = current.data.user
      return caller.user
    }
  }
  return caller
}
