// A graceful stop: /readyz turns 503, load balancers get time to notice, then the gateway takes no new connections and
// running calls finish within a deadline.
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

interface Options {
  /** Time during which new calls are taken. */
  delayMs: number
  /** Calls that run longer, counted from the start of the stop, are cut off. */
  deadlineMs: number
  /** Ends the delay. */
  noDelay?: AbortSignal
}

/** Node's `close` does not end connections that become idle later. */
const CLOSE_IDLE_EVERY_MS = 50
/** Time for a new connection to send its first request. */
const UNUSED_MS = 500

/** Resolves when the gateway has closed; false if calls were cut off. */
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
