// A gateway that is about to stop answers as ever, and asks with each answer that the connection be used no further.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    draining: { begun: boolean }
  }
}

export const drainingPlugin = fp(async (app: FastifyInstance) => {
  const draining = { begun: false }
  app.decorate('draining', draining)
  app.addHook('onRequest', (_request, reply, done) => {
    if (draining.begun) reply.header('connection', 'close')
    done()
  })
})
