// The second baseline: @fastify/session (tuned as documented) with one role check, and @fastify/http-proxy, which sends the
// session's token. Sessions are plain JSON in Redis, connection pools are like the gateway's, and calls are not logged.
import { randomBytes } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import fastifyHttpProxy from '@fastify/http-proxy'
import fastifySession from '@fastify/session'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import type { SessionData, Tokens } from '#server/auth/sessions/store.ts'
import { dataOf, newTokens } from '../people.ts'
import { answer } from './answer.ts'

declare module 'fastify' {
  interface Session {
    person?: SessionData
    tokens?: Tokens
  }
}

type Done = (error?: unknown, session?: object | null) => void

const { PORT, UPSTREAM_URL = '', REDIS_URL = '' } = process.env
const ROLE = 'partner_user'
const SESSION_SECONDS = 24 * 3600

const app = Fastify()
const redis = new Redis(REDIS_URL)
const settle = (work: Promise<unknown>, done: Done) =>
  void work.then((value) => done(null, value as object | null), done)
const read = async (id: string) => JSON.parse((await redis.get(`portal:tuned:${id}`)) ?? 'null')
await app.register(fastifyCookie)
await app.register(fastifySession, {
  secret: randomBytes(32).toString('base64'),
  rolling: false,
  saveUninitialized: false,
  cookie: { secure: false },
  store: {
    get: (id: string, done: Done) => settle(read(id), done),
    set: (id: string, session: object, done: Done) =>
      settle(redis.set(`portal:tuned:${id}`, JSON.stringify(session), 'EX', SESSION_SECONDS), done),
    destroy: (id: string, done: Done) => settle(redis.del(`portal:tuned:${id}`), done)
  } as never
})
app.get<{ Params: { number: string } }>('/sign-in/:number', async ({ session, params }, reply) => {
  session.person = dataOf(params.number)
  session.tokens = newTokens(params.number)
  return reply.send()
})
await app.register(fastifyHttpProxy, {
  upstream: UPSTREAM_URL,
  undici: { connections: 64, pipelining: 1 },
  disableRequestLogging: true,
  async preHandler({ session }, reply) {
    if (!session.person?.user.roleAssignments.some(({ role }) => role === ROLE)) return reply.code(403).send()
  },
  replyOptions: {
    rewriteRequestHeaders: ({ session }, headers) => ({
      ...headers,
      authorization: `Bearer ${session.tokens?.access}`
    })
  }
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })

answer({
  async signIn({ people }: { people: number }): Promise<string[]> {
    const cookies: string[] = []
    while (cookies.length < people) {
      const { headers } = await app.inject(`/sign-in/${cookies.length}`)
      cookies.push(String(headers['set-cookie']).split(';')[0] ?? '')
    }
    return cookies
  }
})
