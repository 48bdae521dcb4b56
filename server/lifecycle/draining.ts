// While the gateway drains, it still answers, and closes each connection with its next answer.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    draining: Draining
  }
}

interface Draining {
  begun: boolean
  /** Closes connections without a request: browsers open some in advance, and Node counts them as busy. */
  closeUnused(): void
}

export const drainingPlugin = fp(async (app: FastifyInstance) => {
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const draining: Draining = {
    begun: false,
    closeUnused() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }
  }
  app.decorate('draining', draining)
  app.addHook('onRequest', (_request, reply, done) => {
    if (draining.begun) reply.header('connection', 'close')
    done()
  })
})
