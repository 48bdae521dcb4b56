// Rate limits on each replica: calls and body bytes per minute and calls in flight for each signed-in person or internal
// service, lower limits of their calls to some routes, and calls per minute for each address without a session. Tells services
// what is left of their calls, in the headers of draft-ietf-httpapi-ratelimit-headers-11.
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
  /** Calls per minute from an address to a route. Many people may share an address; each started sign-in stores a record. */
  anonymousPerMinute: number
  /** Calls per minute, including refused ones. */
  perMinute: Readonly<Record<Identity['kind'], number>>
  /** Calls in flight, from their admission until the client has read the answer. */
  inFlight: number
  /** Bytes of bodies per minute, including refused ones. */
  bodyBytesPerMinute: number
}

/**
 * Counts a call by its identity; without an identity by its address and route, where an IPv6 network of 64 bits is one
 * address. Rejects with a 429 problem above the limit.
 */
type Admit = (request: FastifyRequest, reply: FastifyReply, identity: Identity | null) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    admit: Admit
  }
  interface FastifyRequest {
    identity: Identity | null
  }
  interface FastifyContextConfig {
    /** Calls per minute of a known caller to this route, in addition to the limit for all routes. */
    callsPerMinute?: number
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
  const countRoute = app.createRateLimit({
    max: ({ routeOptions }) => routeOptions.config.callsPerMinute ?? Number.POSITIVE_INFINITY,
    keyGenerator: ({ identity, routeOptions }) => `${routeOptions.config.id} ${keyOf(identity as Identity)}`
  })
  const bodies = createBodyBudget(limits.bodyBytesPerMinute)
  const callsInFlight = new Map<string, number>()
  // Created once, because creating an error for each call of a burst is slow.
  const tooManyAtOnce = problems.tooManyCalls(1)

  app.decorate('admit', async (request, reply, identity) => {
    request.identity = identity
    if (identity === null) return refuseExceeded(await countAnonymous(request))
    const total = await count(request)
    if (identity.kind === 'bearer') tellQuota(reply, 'default', total)
    refuseExceeded(total)
    if (request.routeOptions.config.callsPerMinute !== undefined) {
      const ofRoute = await countRoute(request)
      if (identity.kind === 'bearer') tellQuota(reply, 'route', ofRoute)
      refuseExceeded(ofRoute)
    }
    bodies.charge(keyOf(identity), request)
    if (!request.routeOptions.config.isStream) enter(reply, `${keyOf(identity)} ${identity.subject ?? ''}`)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.identity) bodies.settle(keyOf(request.identity), request)
    done()
  })

  function enter({ raw }: FastifyReply, key: string): void {
    // The `close` event has passed, so the count would never be decreased.
    if (raw.destroyed) throw problems.clientGone()
    const calls = callsInFlight.get(key) ?? 0
    if (calls >= inFlight) throw tooManyAtOnce
    callsInFlight.set(key, calls + 1)
    raw.once('close', () => {
      const count = (callsInFlight.get(key) ?? 1) - 1
      if (count > 0) callsInFlight.set(key, count)
      else callsInFlight.delete(key)
    })
  }
})

type Count = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>

function refuseExceeded(count: Count): void {
  if (!count.isAllowed && count.isExceeded) throw problems.tooManyCalls(Math.max(1, count.ttlInSeconds))
}

/** Adds a policy and what is left of it. Browsers need neither. */
function tellQuota(reply: FastifyReply, policy: 'default' | 'route', count: Count): void {
  if (count.isAllowed) return
  const { max, timeWindow, remaining, ttlInSeconds } = count
  append(reply, 'ratelimit-policy', `"${policy}";q=${max};w=${timeWindow / 1000}`)
  append(reply, 'ratelimit', `"${policy}";r=${remaining};t=${Math.max(1, ttlInSeconds)}`)
}

/** Appends an item to a header that is a list of structured items (RFC 9651, section 3.1). */
function append(reply: FastifyReply, name: string, item: string): void {
  const items = reply.getHeader(name)
  reply.header(name, items === undefined ? item : `${items}, ${item}`)
}

function keyOf({ kind, id }: Identity): string {
  return `${kind} ${id}`
}
