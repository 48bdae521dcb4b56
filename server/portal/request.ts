// What the aggregated endpoints ask of a request: who makes it, and whether anybody still waits for its answer.
import type { FastifyReply } from 'fastify'
import { problems } from '../errors.ts'
import type { Caller } from '../types.ts'

/** Aborted when the caller goes before the answer is sent. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Enforcement has run before: without a caller no handler of these routes is reached. */
export function signedIn(caller: Caller | null): Caller {
  if (caller === null) throw problems.notSignedIn()
  return caller
}
