// How much one may call, on each replica: a signed-in person or an internal service by the minute and at a time, and
// anybody who begins to sign in. What a call may do is not decided here.
import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Problem, problems } from '../errors.ts'
import type { Caller } from '../types.ts'

/** Beginning to sign in leaves a record behind: one address may do so this often. Many people can share one address. */
const SIGN_INS_PER_MINUTE = 300

/** Who calls, as soon as that is proved and before anything is looked up for them. */
export interface Identity {
  kind: Caller['kind']
  /** Of the person, or of the client. */
  id: string
  /** On whose behalf the client calls: the users of one client do not take each other's places. */
  subject?: string
}

interface CallerLimits {
  /** Calls a minute, refused ones too. */
  perMinute: Readonly<Record<Identity['kind'], number>>
  /** Calls under way at a time, from here until the answer is read. */
  inFlight: number
}

/** Rejects with a 429 problem when it is one call too many. */
type Admit = (request: FastifyRequest, reply: FastifyReply, identity: Identity) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    admit: Admit
  }
  interface FastifyRequest {
    identity: Identity | null
  }
}

function tooMany(retryAfterSeconds: number): Problem {
  return new Problem(429, 'too_many_calls', {
    title: 'Too many calls',
    detail: 'Wait a little before the next call.',
    retryAfterSeconds
  })
}

const PER_MINUTE = {
  timeWindow: '1 minute',
  errorResponseBuilder: (_request, { ttl }) => tooMany(Math.max(1, Math.ceil(ttl / 1000))),
  addHeadersOnExceeding: {
    'x-ratelimit-limit': false,
    'x-ratelimit-remaining': false,
    'x-ratelimit-reset': false
  }
} satisfies RateLimitPluginOptions

/** Decorates `admit`, for whoever finds out who calls. */
export const callerLimits = fp(async (app: FastifyInstance, { perMinute, inFlight }: CallerLimits) => {
  app.decorateRequest('identity', null)
  await app.register(rateLimit, {
    ...PER_MINUTE,
    global: false,
    max: ({ identity }) => perMinute[(identity as Identity).kind],
    keyGenerator: ({ identity }) => `${identity?.kind} ${identity?.id}`
  })
  const count = app.rateLimit()
  const underWay = new Map<string, number>()

  app.decorate('admit', async (request, reply, identity) => {
    request.identity = identity
    try {
      await count.call(app, request, reply)
      enter(reply, `${identity.kind} ${identity.id} ${identity.subject ?? ''}`)
    } catch (error) {
      request.log.info({ ...identity, reason: (error as Error).message }, 'refused')
      throw error
    }
  })

  function enter({ raw }: FastifyReply, key: string): void {
    // Nothing would tell when it ends.
    if (raw.destroyed) throw problems.clientGone()
    const calls = underWay.get(key) ?? 0
    if (calls >= inFlight) throw tooMany(1)
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
    ...PER_MINUTE,
    max: SIGN_INS_PER_MINUTE,
    allowList: (request) => request.routeOptions.config.id !== 'auth.login',
    // Of a caller who has gone there is no address any more.
    keyGenerator: (request) => request.ip ?? ''
  })
})
