// Stores the values that verify a sign-in attempt until the authority redirects back. Each attempt has its own cookie, so that many tabs
// can sign in at once. An attempt can be finished once, in the browser that started it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { Clock } from '../../types.ts'
import type { SignInChecks } from '../authority/oidc-client.ts'
import type { Encryption } from '../encryption.ts'
import type { SessionBackend } from '../sessions/backend.ts'
import type { CookieRules } from '../sessions/cookies.ts'

export interface Attempt extends SignInChecks {
  returnTo: string
  /** Milliseconds since 1970. */
  begunAt: number
}

const PURPOSE = 'sign-in attempt'
const LIFE_SECONDS = 600
/** Maximum attempts of one browser, so that the cookie header stays below 4 KB. */
export const ATTEMPTS_MAX = 24

export type SignInAttempts = ReturnType<typeof createSignInAttempts>

/** @param backend its methods reject with a `Problem` */
export function createSignInAttempts(
  backend: SessionBackend,
  encryption: Encryption,
  cookies: CookieRules,
  clock: Clock
) {
  const prefix = cookies.names.attemptPrefix
  const cookieName = (state: string) => prefix + state.slice(0, 10)
  const keyOf = (request: FastifyRequest, state: string) =>
    request.cookies[cookieName(state)]?.split('.')[1] || undefined
  const namesOf = (state: string) => encryption.aliases(state, PURPOSE).map((alias) => `signin:${alias}`)

  /** Clears the cookies of the oldest attempts. A cookie's value is `{start time in base 36}.{key}`. */
  function evictOldest(request: FastifyRequest, reply: FastifyReply) {
    const attempts = Object.entries(request.cookies)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => ({ name, at: Number.parseInt(value ?? '', 36) || 0 }))
      .sort((a, b) => b.at - a.at)
    for (const { name } of attempts.slice(ATTEMPTS_MAX - 1)) reply.clearCookie(name, cookies.attempt)
  }

  return {
    async begin(request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<Attempt> {
      const attempt: Attempt = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        returnTo,
        begunAt: clock()
      }
      const key = randomState()
      const [name = ''] = namesOf(attempt.state)
      const encrypted = encryption.of(key).encrypt(JSON.stringify(attempt), PURPOSE).toString('base64url')
      await backend.remember(name, encrypted, LIFE_SECONDS * 1000)
      evictOldest(request, reply)
      reply.setCookie(cookieName(attempt.state), `${attempt.begunAt.toString(36)}.${key}`, {
        ...cookies.attempt,
        maxAge: LIFE_SECONDS
      })
      return attempt
    },
    /** Whether the browser has the cookie of the attempt with this state. Asks no store. */
    isOwn: (request: FastifyRequest, state: string): boolean => keyOf(request, state) !== undefined,
    /** The attempt of a callback's state; null if it is unknown, used, too old or from another browser. */
    async take(request: FastifyRequest, reply: FastifyReply, state: string): Promise<Attempt | null> {
      const key = keyOf(request, state)
      if (key === undefined) return null
      reply.clearCookie(cookieName(state), cookies.attempt)
      for (const stored of namesOf(state)) {
        const encrypted = await backend.takeOnce(stored)
        if (encrypted === null) continue
        const attempt = encryption.of(key).decrypt(Buffer.from(encrypted, 'base64url'), PURPOSE)
        if (attempt !== null) return JSON.parse(attempt)
      }
      return null
    }
  }
}
