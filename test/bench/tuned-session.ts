// What the gateway's sessions are compared with: @fastify/session as its documentation tunes it, on a plain store over ioredis.
// Everything about a person is one JSON text, tokens included, and it is not encrypted.
import { randomBytes } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Redis } from 'ioredis'
import type { SessionData, Tokens } from '#server/auth/sessions/store.ts'
import { dataOf, newTokens } from './people.ts'

declare module 'fastify' {
  interface Session {
    person?: SessionData
    tokens?: Tokens
  }
}

type Done = (error?: unknown, session?: object | null) => void

const SECRET = randomBytes(32).toString('base64')
const LAST_SECONDS = 24 * 3600

/** Reads the session of every request; a plain read writes nothing. */
export const tunedSession = fp(
  async (app: FastifyInstance, { redisUrl, secret }: { redisUrl: string; secret: string }) => {
    const redis = new Redis(redisUrl)
    app.addHook('onClose', () => redis.disconnect())
    const settle = (work: Promise<unknown>, done: Done) =>
      void work.then((value) => done(null, value as object | null), done)
    await app.register(fastifyCookie)
    await app.register(fastifySession, {
      secret,
      rolling: false,
      saveUninitialized: false,
      cookie: { secure: false },
      store: {
        get: (id: string, done: Done) =>
          settle(
            redis.get(`tuned:${id}`).then((text) => (text === null ? null : JSON.parse(text))),
            done
          ),
        set: (id: string, session: object, done: Done) =>
          settle(redis.set(`tuned:${id}`, JSON.stringify(session), 'EX', LAST_SECONDS), done),
        destroy: (id: string, done: Done) => settle(redis.del(`tuned:${id}`), done)
      } as never
    })
  }
)

/** Signs so many people in; the secret that their cookies are signed with, and the cookie headers. */
export async function signInTuned(
  redisUrl: string,
  count: number
): Promise<{ secret: string; cookies: string[] }> {
  const app = Fastify()
  await app.register(tunedSession, { redisUrl, secret: SECRET })
  app.get<{ Params: { number: string } }>('/sign-in/:number', async (request, reply) => {
    request.session.person = dataOf(request.params.number)
    request.session.tokens = newTokens(request.params.number)
    return reply.send()
  })
  const cookies: string[] = []
  while (cookies.length < count) {
    const { headers } = await app.inject(`/sign-in/${cookies.length}`)
    const [cookie = ''] = String(headers['set-cookie']).split(';')
    if (!cookie.includes('=')) throw new Error('signing in gave no cookie')
    cookies.push(cookie)
  }
  await app.close()
  return { secret: SECRET, cookies }
}
