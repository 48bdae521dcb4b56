// Limits calls of /auth, including refused calls: by person if signed in, otherwise by address. On routes that browsers
// navigate to, a call over the limit redirects to a page that says when to try again.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Problem } from '../errors.ts'
import { sessionOf } from './sessions/plugin.ts'

const PAGE_ROUTES = ['auth.login', 'auth.callback']

/** Must be registered after the plugin that reads the session. */
export const authLimits = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', async (request, reply) => {
    const session = sessionOf(request)
    try {
      await app.admit(request, reply, session && { kind: 'session', id: session.data.user.id })
    } catch (error) {
      const isPage = PAGE_ROUTES.includes(request.routeOptions.config.id ?? '')
      if (!isPage || !(error instanceof Problem) || error.status !== 429) throw error
      const { retryAfterSeconds = 1 } = error.options
      request.problemId = error.id
      const query = new URLSearchParams({ reason: 'busy', wait: `${retryAfterSeconds}`, request: request.id })
      return reply.header('retry-after', retryAfterSeconds).redirect(`/signin-failed?${query}`, 303)
    }
  })
})
