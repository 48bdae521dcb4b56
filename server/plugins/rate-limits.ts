// How often one may call, on each replica: an internal service as a whole, and anybody who begins to sign in.
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Problem } from '../errors.ts'

/** Beginning to sign in leaves a record behind: one address may do so this often. Many people can share one address. */
const SIGN_INS_PER_MINUTE = 300

function tooMany(_request: FastifyRequest, { ttl }: { ttl: number }): Problem {
  return new Problem(429, 'too_many_calls', {
    title: 'Too many calls',
    detail: 'Wait a little before the next call.',
    retryAfterSeconds: Math.ceil(ttl / 1000)
  })
}

/** Limits bearer callers by client; people in a browser are not limited. */
export const bearerRateLimit = fp(
  async (app: FastifyInstance, { callsPerMinute }: { callsPerMinute: number }) => {
    await app.register(rateLimit, {
      global: false,
      max: callsPerMinute,
      timeWindow: '1 minute',
      keyGenerator: (request) => request.caller?.clientId ?? '',
      errorResponseBuilder: tooMany,
      addHeadersOnExceeding: {
        'x-ratelimit-limit': false,
        'x-ratelimit-remaining': false,
        'x-ratelimit-reset': false
      }
    })
    const limit = app.rateLimit()
    app.addHook('preHandler', (request, reply, done) => {
      if (request.caller?.kind !== 'bearer') return done()
      void limit.call(app, request, reply).then(() => done(), done)
    })
  }
)

/** Limits sign-ins by address. */
export const signInRateLimit = fp(async (app: FastifyInstance) => {
  await app.register(rateLimit, {
    max: SIGN_INS_PER_MINUTE,
    timeWindow: '1 minute',
    allowList: (request) => request.routeOptions.config.id !== 'auth.login',
    errorResponseBuilder: tooMany,
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false
    }
  })
})
