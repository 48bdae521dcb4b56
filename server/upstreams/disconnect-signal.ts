// Cancels work for a caller who has disconnected.
import type { FastifyReply } from 'fastify'

/** Returns a signal that is aborted when the caller disconnects before the answer is sent. */
export function disconnectSignal(reply: Pick<FastifyReply, 'raw'>): AbortSignal {
  return disconnectController(reply).signal
}

/** Like `disconnectSignal`, for code that may also abort the work itself. */
export function disconnectController({ raw }: Pick<FastifyReply, 'raw'>): AbortController {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller
}
