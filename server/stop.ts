// Stopping so that nobody notices: not ready any more, a while for balancers to see it, then no new connections; running
// calls finish, within a deadline.
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

interface Pace {
  /** How long calls are still taken. */
  delayMs: number
  /** From the beginning until whatever still runs is cut off. */
  deadlineMs: number
  /** Ends the delay. */
  hurry?: AbortSignal
}

/** Kept connections that have become idle do not end by themselves while a server closes. */
const CLOSE_IDLE_EVERY_MS = 50
/** Whoever connected just before gets this long to say what for. */
const UNUSED_MS = 500

/** Resolves when the gateway has closed; false when calls had to be cut off. */
export async function stop(app: FastifyInstance, { delayMs, deadlineMs, hurry }: Pace): Promise<boolean> {
  const begun = performance.now()
  app.draining.begun = true
  await wait(delayMs, undefined, hurry ? { signal: hurry } : {}).catch(() => {})

  let whole = true
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  const unused = setTimeout(() => app.draining.closeUnused(), UNUSED_MS)
  const deadline = setTimeout(
    () => {
      whole = false
      app.server.closeAllConnections()
    },
    Math.max(0, deadlineMs - (performance.now() - begun))
  )
  await app.close()
  clearInterval(idle)
  clearTimeout(unused)
  clearTimeout(deadline)
  return whole
}
