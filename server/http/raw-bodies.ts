// Bodies are read up to a limit and not parsed: routes with a body parse it by its schema. So a hostile body costs nothing on
// other routes.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Must be registered before any route. */
export const rawBodies = fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
})
