// @fastify/session manages the cookie: signed, renewed at sign-in, never written by a plain read. A request changes its
// session only through our store, so no slow request can write back a session that has changed or ended meanwhile.
import { callbackify } from 'node:util'
import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problems } from '../../errors.ts'
import { createCookieSigner } from './cookie-signer.ts'
import type { CookieRules } from './cookies.ts'
import type { EndedFrom, Session, SessionData, SessionStore, Tokens } from './store.ts'

/** The session of a cookie, or why there is none. */
interface Found {
  session: Session | null
  ended: EndedFrom | null
  /** Hides this object from @fastify/session's comparison. */
  toJSON: () => null
}

declare module 'fastify' {
  interface Session {
    found?: Found
    /** Set once, at sign-in. */
    signingIn?: { data: SessionData; tokens: Tokens }
  }
}

export interface SessionOptions {
  sessions: SessionStore
  cookies: CookieRules
  secrets: string[]
}

interface PluginOptions extends SessionOptions {
  /** Receives the id of a session that was ended elsewhere, with each call that still has its cookie. */
  onEnded?: (id: string) => Promise<void>
}

/** Reads the session of every request in this scope. A store failure is a 503 and keeps the cookie. */
export const sessionPlugin = fp(
  async (app: FastifyInstance, { sessions, cookies, secrets, onEnded }: PluginOptions) => {
    const signer = createCookieSigner(secrets)
    // Keeps the cookie of an ended session: if another tab has signed in meanwhile, clearing it would clear the new cookie.
    async function find(id: string): Promise<{ found: Found }> {
      const session = await sessions.read(id)
      const ended = session === null ? await sessions.whoEnded(id) : null
      if (ended !== null) void onEnded?.(id).catch(() => {})
      return { found: { session, ended, toJSON: () => null } }
    }
    // Defaults for every cookie set or cleared here: browsers clear a cookie only with the attributes with which it was set.
    await app.register(fastifyCookie, { parseOptions: cookies.session })
    await app.register(fastifySession, {
      secret: signer,
      cookieName: cookies.names.session,
      cookie: { ...cookies.session },
      rolling: false,
      saveUninitialized: false,
      idGenerator: signer.newId,
      store: {
        get: callbackify(find),
        set: callbackify(async (id: string, { signingIn }: Pick<FastifyRequest['session'], 'signingIn'>) => {
          if (signingIn) await sessions.create(id, signingIn.data, signingIn.tokens)
        }),
        destroy: callbackify(sessions.remove)
      } as never
    })
  }
)

/** The session of the request; null if there is none or it has ended. */
export function sessionOf(request: FastifyRequest): Session | null {
  return request.readSession ?? request.session?.found?.session ?? null
}

/** The session of the request. Throws 401 if there is none. */
export function signedIn(request: FastifyRequest): Session {
  const session = sessionOf(request)
  if (session === null) throw problems.notSignedIn()
  return session
}

/** The origin of the sign-out that ended the request's session; undefined if no sign-out ended it. */
export function endedFrom(request: FastifyRequest): EndedFrom | undefined {
  return request.session.found?.ended ?? undefined
}

/** Starts a session under a new id, so that an id known before sign-in gives no access after it. */
export async function startSession(
  request: FastifyRequest,
  data: SessionData,
  tokens: Tokens
): Promise<void> {
  await request.session.regenerate()
  request.session.signingIn = { data, tokens }
  try {
    await request.session.save()
  } catch (error) {
    // Otherwise the session would be saved again when the answer is sent, with a cookie for a session that may not exist.
    delete request.session.signingIn
    throw error
  }
}

/** Ends the session and clears the cookie. */
export async function endSession(
  request: FastifyRequest,
  reply: FastifyReply,
  cookies: CookieRules
): Promise<void> {
  await request.session.destroy()
  reply.clearCookie(cookies.names.session, cookies.session)
}
