// Whether anybody still waits for an answer: what is done for a caller who has gone ends.
import type { FastifyReply } from 'fastify'

/** Aborted when the caller goes before the answer is sent. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
