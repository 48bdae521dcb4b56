// Creates sessions in Redis with the gateway's own code. Their tokens do not expire during a run.
import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import pino from 'pino'
import { createEncryption } from '#server/auth/encryption.ts'
import { cookieRules } from '#server/auth/sessions/cookies.ts'
import { sessionPlugin, startSession } from '#server/auth/sessions/plugin.ts'
import { createRedisBackend } from '#server/auth/sessions/redis.ts'
import { createSessionStore, type SessionData, type Tokens } from '#server/auth/sessions/store.ts'
import type { Config } from '#server/config/settings.ts'
import { connectRedis } from '#server/redis.ts'
import { toCallerUser } from '#server/upstreams/users.ts'
import { personOf } from './programs/person.ts'

const JWT_CHARACTERS = 1_000
const REFRESH_TOKEN_CHARACTERS = 300
/** Maximum number of failed sign-ins. High, because Redis may be slow on a busy machine. */
const FAILURES_MAX = 100
const STORED_AT_ONCE = 50
const TOKEN_LIFETIME_MS = 24 * 3_600_000

async function openSessions(config: Config, secrets: string[]) {
  const redis = await connectRedis(config, pino({ level: 'silent' }))
  if (redis === null) throw new Error('the benchmark needs Redis')
  const backend = createRedisBackend(redis)
  const lifetimes = {
    idleSeconds: config.SESSION_IDLE_SECONDS,
    absoluteSeconds: config.SESSION_ABSOLUTE_SECONDS
  }
  return createSessionStore(backend, createEncryption(secrets), lifetimes, Date.now)
}

/** Signs each of the people in. Returns their cookies. */
export async function signInMany(
  config: Config,
  secrets: string[],
  people: readonly string[]
): Promise<string[]> {
  const sessions = await openSessions(config, secrets)
  const app = Fastify()
  await app.register(sessionPlugin, { sessions, cookies: cookieRules(config.PUBLIC_URL), secrets })
  app.get<{ Params: { number: string } }>('/sign-in/:number', async (request, reply) => {
    await startSession(request, dataOf(request.params.number), newTokens(request.params.number))
    return reply.send()
  })
  const cookies: string[] = []
  let failures = 0
  while (cookies.length < people.length) {
    const { headers, statusCode } = await app.inject(`/sign-in/${people[cookies.length]}`)
    const [cookie = ''] = String(headers['set-cookie']).split(';')
    if (statusCode === 200 && cookie.includes('=')) cookies.push(cookie)
    else failures += 1
    if (failures > FAILURES_MAX) throw new Error(`the sign-in answered ${statusCode}`)
  }
  await app.close()
  await sessions.backend.close()
  return cookies
}

/** Stores many sessions of one person. Nobody has their cookies. */
export async function hoardSessions(
  config: Config,
  secrets: string[],
  person: string,
  count: number
): Promise<void> {
  const sessions = await openSessions(config, secrets)
  const name = randomBytes(8).toString('hex')
  for (let stored = 0; stored < count; stored += STORED_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(STORED_AT_ONCE, count - stored) }, (_, index) =>
        sessions.create(`${name}-${stored + index}`, dataOf(person), newTokens(person))
      )
    )
  await sessions.backend.close()
}

export function dataOf(number: string): SessionData {
  return {
    user: toCallerUser(personOf(number)),
    userRead: { at: Date.now(), tokens: 1 },
    subject: `subject-${number}`,
    authoritySessionId: `authority-session-${number}`
  }
}

export function newTokens(number: string): Tokens {
  const random = (characters: number) => randomBytes(characters).toString('base64url').slice(0, characters)
  const expiresAt = Date.now() + TOKEN_LIFETIME_MS
  return {
    access: `${number}.${random(JWT_CHARACTERS)}`.slice(0, JWT_CHARACTERS),
    idToken: random(JWT_CHARACTERS),
    refresh: random(REFRESH_TOKEN_CHARACTERS),
    expiresAt,
    renewAt: expiresAt
  }
}
