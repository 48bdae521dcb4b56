// Stops gracefully: /readyz answers 503, load balancers get time to notice, then the gateway accepts no new connections and
// running calls finish within a deadline.
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    draining: {
      begun: boolean
      /** Closes connections without a request: browsers open some in advance, and Node counts them as busy. */
      closeUnused(): void
    }
  }
}

/** While the gateway drains, it closes each connection after its next answer. */
export const drainingPlugin = fp(async (app: FastifyInstance) => {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.decorate('draining', {
    begun: false,
    closeUnused() {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    }
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (app.draining.begun) reply.header('connection', 'close')
    done()
  })
})

interface Options {
  /** Time during which new calls are still accepted. */
  delayMs: number
  /** Time until running calls are aborted, from the start of the stop. */
  deadlineMs: number
  /** Ends the delay early. */
  noDelay?: AbortSignal
}

/** Interval at which idle connections are closed: Node's `close` does not close those that become idle later. */
const CLOSE_IDLE_EVERY_MS = 50
/** Time for a new connection to send its first request. */
const UNUSED_MS = 500

/** Resolves when the gateway has closed; false if calls were aborted. */
export async function stop(
  app: FastifyInstance,
  { delayMs, deadlineMs, noDelay }: Options
): Promise<boolean> {
  const startedAt = performance.now()
  app.draining.begun = true
  await wait(delayMs, undefined, noDelay ? { signal: noDelay } : {}).catch(() => {})

  let allFinished = true
  const idleTimer = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  const unusedTimer = setTimeout(() => app.draining.closeUnused(), UNUSED_MS)
  const deadlineTimer = setTimeout(
    () => {
      allFinished = false
      app.server.closeAllConnections()
    },
    Math.max(0, deadlineMs - (performance.now() - startedAt))
  )
  await app.close()
  clearInterval(idleTimer)
  clearTimeout(unusedTimer)
  clearTimeout(deadlineTimer)
  return allFinished
}
