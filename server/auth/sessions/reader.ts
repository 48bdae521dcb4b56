// Reads the session of calls under /api, which never change it. @fastify/session would prepare each call for a change (an
// object to compare, to save, to renew), so plugin.ts uses it only for sign-in and sign-out. Both plugins treat cookies equally.
import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { createCookieSigner } from './cookie-signer.ts'
import type { SessionOptions } from './plugin.ts'
import type { Session as StoredSession } from './store.ts'

const CHECKED_MAX = 5_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined on routes that use plugin.ts. */
    readSession?: StoredSession | null
  }
}

/** Reads the session of every request in this scope. A store failure is a 503 and keeps the cookie. */
export const sessionReaderPlugin = fp(async (app: FastifyInstance, options: SessionOptions) => {
  const { sessions, cookies, secrets } = options
  const { session: cookieName } = cookies.names
  const signer = createCookieSigner(secrets)
  /** Ids by cookie, for cookies whose signature was checked. */
  const idsByCookie = new LRUCache<string, string>({ max: CHECKED_MAX })
  await app.register(fastifyCookie, { parseOptions: cookies.session, hook: false })
  app.decorateRequest('readSession', null)

  app.addHook('onRequest', (request, reply, done) => {
    const cookie = cookieOf(request)
    if (!cookie) return done()
    const id = idsByCookie.get(cookie) ?? signer.unsign(cookie).value
    if (id === null) {
      reply.clearCookie(cookieName, cookies.session)
      return done()
    }
    idsByCookie.set(cookie, id)
    sessions.read(id).then((session) => {
      request.readSession = session
      done()
    }, done)
  })

  function cookieOf({ headers }: FastifyRequest): string | undefined {
    return headers.cookie === undefined ? undefined : app.parseCookie(headers.cookie)[cookieName]
  }
})
