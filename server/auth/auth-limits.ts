// Calls of /auth count like those of the API, refused ones too: a signed-in person's by person, all others by address.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { sessionOf } from './sessions/plugin.ts'

/** Must be registered after the plugin that reads the session. */
export const authLimits = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', (request, reply) => {
    const session = sessionOf(request)
    return app.admit(request, reply, session && { kind: 'session', id: session.data.user.id })
  })
})
