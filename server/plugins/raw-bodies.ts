// Bodies are let in up to a limit and left as they came: whoever takes one reads it by its schema, and a call that takes
// none, or that nothing answers, costs no parsing. Parsing a body that is made to be slow holds up every other call.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** No call comes near it. */
const BODY_MAX_BYTES = 1024 * 1024

/** Must be registered before any route. */
export const rawBodies = fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES }, (_request, body, done) =>
    done(null, body)
  )
})
