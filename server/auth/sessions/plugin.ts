// Reads the session of each request from its signed cookie. Only sign-in and sign-out change the cookie, and only the store
// changes a session, so no slow request can write back a session that has changed or ended meanwhile.
import { randomBytes } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { Problem, problems } from '../../errors.ts'
import type { CookieRules } from './cookies.ts'
import { UnreadableRecord } from './record.ts'
import type { SessionData, SessionStore, Session as StoredSession, Tokens } from './store.ts'

const ID_BYTES = 32
const CHECKED_MAX = 5_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An unreadable record counts as no session here: elsewhere it would lock the person out until it ends. */
    replacesSession?: boolean
  }
  interface FastifyRequest {
    /** The id in the cookie, also of an ended session; null without a valid cookie. */
    sessionId: string | null
    storedSession: StoredSession | null
  }
}

interface Options {
  sessions: SessionStore
  cookies: CookieRules
  /** Newest first. The first signs cookies; all are accepted. */
  secrets: string[]
}

/** Reads the session of every request in this scope. A store failure or an unreadable record is a 503 and keeps the cookie. */
export const sessionPlugin = fp(async (app: FastifyInstance, { sessions, cookies, secrets }: Options) => {
  const { session: name } = cookies.names
  /** Ids by cookie, for cookies whose signature was checked. */
  const checked = new LRUCache<string, string>({ max: CHECKED_MAX })
  // Defaults for every cookie set or cleared here: browsers clear a cookie only with its own attributes.
  await app.register(fastifyCookie, { secret: secrets, parseOptions: cookies.session, hook: false })
  app.decorateRequest('sessionId', null)
  app.decorateRequest('storedSession', null)

  app.addHook('onRequest', (request, reply, done) => {
    const cookie = cookiesOf(request)[name]
    if (!cookie) return done()
    const id = checked.get(cookie) ?? app.unsignCookie(cookie).value
    if (id === null) {
      reply.clearCookie(name)
      return done()
    }
    checked.set(cookie, id)
    request.sessionId = id
    // Keep the cookie of an ended session: another tab may have signed in meanwhile, and clearing it would clear the new one.
    sessions.read(id).then(
      (session) => {
        request.storedSession = session
        done()
      },
      (error) => done(request.routeOptions.config.replacesSession && isUnreadable(error) ? undefined : error)
    )
  })
})

export function cookiesOf({ headers, server }: FastifyRequest): Record<string, string | undefined> {
  return headers.cookie === undefined ? {} : server.parseCookie(headers.cookie)
}

const isUnreadable = (error: Error) => error instanceof Problem && error.cause instanceof UnreadableRecord

/** The session of the request; null without one, or after its end. */
export const sessionOf = (request: FastifyRequest): StoredSession | null => request.storedSession

/** The session of the call. Throws 401 without one. */
export function signedIn(request: FastifyRequest): StoredSession {
  const session = sessionOf(request)
  if (session === null) throw problems.notSignedIn()
  return session
}

type Rules = Pick<Options, 'sessions' | 'cookies'>

/** Starts a session under a new id, so that an id known before sign-in is worth nothing after it. */
export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  rules: Rules,
  data: SessionData,
  tokens: Tokens
): Promise<void> {
  await removeSession(request, rules)
  const id = randomBytes(ID_BYTES).toString('base64url')
  request.storedSession = await rules.sessions.create(id, data, tokens)
  request.sessionId = id
  reply.setCookie(rules.cookies.names.session, id, { signed: true })
}

/** Ends the session and clears the cookie. */
export async function endSession(request: FastifyRequest, reply: FastifyReply, rules: Rules): Promise<void> {
  await removeSession(request, rules)
  reply.clearCookie(rules.cookies.names.session)
}

async function removeSession(request: FastifyRequest, { sessions }: Rules): Promise<void> {
  if (request.sessionId !== null) await sessions.remove(request.sessionId)
  request.sessionId = null
  request.storedSession = null
}
