// A graceful stop: /readyz says no, load balancers get time to notice, then no new connections are taken and running calls
// finish, within a deadline.
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

interface Options {
  /** New calls are taken for this long. */
  delayMs: number
  /** Calls that still run this long after the beginning are cut off. */
  deadlineMs: number
  /** Ends the delay. */
  noDelay?: AbortSignal
}

/** A server that closes does not end connections that become idle later. */
const CLOSE_IDLE_EVERY_MS = 50
/** A new connection has this long to send its first request. */
const UNUSED_MS = 500

/** Resolves when the gateway has closed; false when calls had to be cut off. */
export async function stop(
  app: FastifyInstance,
  { delayMs, deadlineMs, noDelay }: Options
): Promise<boolean> {
  const begun = performance.now()
  app.draining.begun = true
  await wait(delayMs, undefined, noDelay ? { signal: noDelay } : {}).catch(() => {})

  let finished = true
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  const unused = setTimeout(() => app.draining.closeUnused(), UNUSED_MS)
  const deadline = setTimeout(
    () => {
      finished = false
      app.server.closeAllConnections()
    },
    Math.max(0, deadlineMs - (performance.now() - begun))
  )
  await app.close()
  clearInterval(idle)
  clearTimeout(unused)
  clearTimeout(deadline)
  return finished
}
