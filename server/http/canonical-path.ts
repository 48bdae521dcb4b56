// Refuses requests that two parsers could read differently, so that the upstream reads the authorised path: dot segments, encoded
// or doubled separators, double encoding, matrix parameters, bytes that are not UTF-8; two hosts, and codings of the body.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Problem, problems } from '../errors.ts'

const AMBIGUOUS = /%(?:2e|2f|5c|25|0|1|7f|3b|3f|23)|[#\\;]|\/\/|\/\.{1,2}(?:\/|$)|[^\x21-\x7e]/i

/** Whether all parsers read a raw request path (without query) in the same way. */
export function isCanonical(path: string): boolean {
  if (!path.startsWith('/') || AMBIGUOUS.test(path)) return false
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

export const canonicalPathPlugin = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', (request, _reply, done) => done(problemOf(request)))
})

function problemOf({ raw }: FastifyRequest): Problem | undefined {
  if (hostsOf(raw.rawHeaders) > 1) return problems.badRequest('The request names two hosts.')
  // Node decodes chunks only and would pass on the rest of the coding as the body (RFC 9112, section 6.1).
  const coding = raw.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return problems.badRequest('The only accepted transfer coding is chunked.')
  const url = raw.url ?? ''
  const queryAt = url.indexOf('?')
  // The router ends a path at a raw `#`; an upstream may end the query there.
  const canonical = !url.includes('#') && isCanonical(queryAt < 0 ? url : url.slice(0, queryAt))
  return canonical ? undefined : problems.badRequest('This address is not well-formed.')
}

/** Number of Host headers. Node uses the first; a proxy before the gateway may have used the second. */
function hostsOf(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
