// Bodies are read up to a limit and not parsed here: routes that take one parse it by its schema. So a hostile body costs
// nothing on routes that take none, or that do not exist.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Must be registered before any route. */
export const rawBodies = fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
})
