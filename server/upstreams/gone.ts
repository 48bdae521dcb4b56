// Cancels work for a caller who has disconnected.
import type { FastifyReply } from 'fastify'

/** Aborted when the caller disconnects before the answer is sent. */
export function goneSignal(reply: Pick<FastifyReply, 'raw'>): AbortSignal {
  return goneController(reply).signal
}

/** The same, for code that may also abort the work. */
export function goneController({ raw }: Pick<FastifyReply, 'raw'>): AbortController {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone
}
