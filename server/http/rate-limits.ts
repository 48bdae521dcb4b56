// Rate limits on each replica: calls a minute and calls in flight of a signed-in person or an internal service, and sign-ins
// of one address. What a call may do is not decided here.
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Problem, problems } from '../errors.ts'
import type { Caller } from '../types.ts'

/** Sign-ins that one address may begin: each leaves a record in the store. Many people can share one address. */
const SIGN_INS_PER_MINUTE = 300

/** Who calls, known before anything is looked up for them. */
export interface Identity {
  kind: Caller['kind']
  /** Id of the person, or of the client. */
  id: string
  /** The user for whom the client calls: users of one client do not use up each other's calls in flight. */
  subject?: string
}

interface CallerLimits {
  /** Calls a minute, refused ones too. */
  perMinute: Readonly<Record<Identity['kind'], number>>
  /** Calls in flight at a time, from here until the answer is read. */
  inFlight: number
}

/** Counts a call. Rejects with a 429 problem when it is one too many. */
type Admit = (request: FastifyRequest, reply: FastifyReply, identity: Identity) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    admit: Admit
  }
  interface FastifyRequest {
    identity: Identity | null
  }
}

function tooMany(seconds: number): Problem {
  return new Problem(429, 'too_many_calls', {
    title: 'Too many calls',
    detail: 'Wait a little before the next call.',
    retryAfterSeconds: Math.max(1, seconds)
  })
}

const WINDOW = '1 minute'
const NO_HEADERS = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** Decorates `admit`, which is called as soon as the caller is known. */
export const callerLimits = fp(async (app: FastifyInstance, { perMinute, inFlight }: CallerLimits) => {
  app.decorateRequest('identity', null)
  await app.register(rateLimit, { global: false, timeWindow: WINDOW })
  const count = app.createRateLimit({
    max: ({ identity }) => perMinute[(identity as Identity).kind],
    keyGenerator: ({ identity }) => `${identity?.kind} ${identity?.id}`
  })
  const underWay = new Map<string, number>()
  // Made once, without a stack for each refused call of a burst.
  const tooManyAtOnce = tooMany(1)

  app.decorate('admit', async (request, reply, identity) => {
    request.identity = identity
    const counted = await count(request)
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttlInSeconds)
    enter(reply, `${identity.kind} ${identity.id} ${identity.subject ?? ''}`)
  })

  function enter({ raw }: FastifyReply, key: string): void {
    // Its `close` event has passed: nothing would count it out again.
    if (raw.destroyed) throw problems.clientGone()
    const calls = underWay.get(key) ?? 0
    if (calls >= inFlight) throw tooManyAtOnce
    underWay.set(key, calls + 1)
    raw.once('close', () => {
      const left = (underWay.get(key) ?? 1) - 1
      if (left > 0) underWay.set(key, left)
      else underWay.delete(key)
    })
  }
})

/** Limits sign-ins by address. */
export const signInRateLimit = fp(async (app: FastifyInstance) => {
  await app.register(rateLimit, {
    timeWindow: WINDOW,
    max: SIGN_INS_PER_MINUTE,
    errorResponseBuilder: (_request, { ttl }) => tooMany(Math.ceil(ttl / 1000)),
    addHeadersOnExceeding: NO_HEADERS,
    allowList: (request) => request.routeOptions.config.id !== 'auth.login',
    // A caller who has gone has no address any more.
    keyGenerator: (request) => request.ip ?? ''
  })
})
