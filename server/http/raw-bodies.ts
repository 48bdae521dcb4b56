// Reads bodies up to a limit without parsing them. Routes with a body parse it by its schema; other routes never parse
// a body.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Must be registered before any route. */
export const rawBodies = fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
})
