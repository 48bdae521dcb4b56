// Rate limits on each replica: calls and body bytes per minute and calls in flight for each signed-in person or internal
// service, and calls per minute for each address without a session.
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problems } from '../errors.ts'
import type { Caller } from '../types.ts'
import { createBodyBudget } from './body-budget.ts'

/** Identifies the caller before any look-up. */
export interface Identity {
  kind: Caller['kind']
  /** Id of the person, or of the client. */
  id: string
  /** The user on whose behalf the client calls. Calls in flight are counted per user of a client. */
  subject?: string
}

interface CallerLimits {
  /** Calls per minute, route and address, which many people may share. Each started sign-in adds a record to the store. */
  anonymousPerMinute: number
  /** Calls per minute, including refused ones. */
  perMinute: Readonly<Record<Identity['kind'], number>>
  /** Calls in flight, from here until the answer is read. */
  inFlight: number
  /** Bytes of bodies per minute, including refused ones. */
  bodyBytesPerMinute: number
}

/**
 * Counts a call by its identity; without one by its address and route, where an IPv6 network of 64 bits is one address.
 * Rejects with a 429 problem above the limit.
 */
type Admit = (request: FastifyRequest, reply: FastifyReply, identity: Identity | null) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    admit: Admit
  }
  interface FastifyRequest {
    identity: Identity | null
  }
}

/** Decorates `admit`, to be called as soon as the caller is known. */
export const callerLimits = fp(async (app: FastifyInstance, limits: CallerLimits) => {
  const { perMinute, anonymousPerMinute, inFlight } = limits
  app.decorateRequest('identity', null)
  await app.register(rateLimit, { global: false, timeWindow: '1 minute' })
  const count = app.createRateLimit({
    max: ({ identity }) => perMinute[(identity as Identity).kind],
    keyGenerator: ({ identity }) => keyOf(identity as Identity)
  })
  const countAnonymous = app.createRateLimit({
    max: anonymousPerMinute,
    // A disconnected caller has no address.
    keyGenerator: ({ ip, routeOptions }) => `${routeOptions.config.id} ${normalizeIP(ip ?? '')}`
  })
  const bodies = createBodyBudget(limits.bodyBytesPerMinute)
  const underWay = new Map<string, number>()
  // Created once, because creating an error for each call of a burst is slow.
  const tooManyAtOnce = problems.tooManyCalls(1)

  app.decorate('admit', async (request, reply, identity) => {
    request.identity = identity
    const counted = await (identity === null ? countAnonymous : count)(request)
    if (!counted.isAllowed && counted.isExceeded)
      throw problems.tooManyCalls(Math.max(1, counted.ttlInSeconds))
    if (identity === null) return
    bodies.charge(keyOf(identity), request)
    enter(reply, `${keyOf(identity)} ${identity.subject ?? ''}`)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.identity) bodies.settle(keyOf(request.identity), request)
    done()
  })

  function enter({ raw }: FastifyReply, key: string): void {
    // The `close` event has passed, so the count would never be decreased.
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

function keyOf({ kind, id }: Identity): string {
  return `${kind} ${id}`
}
