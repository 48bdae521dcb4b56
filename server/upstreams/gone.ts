// Whether anybody still waits for an answer: what is done for a caller who has gone ends.
import type { FastifyReply } from 'fastify'

/** Aborted when the caller goes before the answer is sent. */
export function goneSignal(reply: Pick<FastifyReply, 'raw'>): AbortSignal {
  return goneController(reply).signal
}

/** The same for who may end the work as well. */
export function goneController({ raw }: Pick<FastifyReply, 'raw'>): AbortController {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone
}
