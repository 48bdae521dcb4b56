// Which headers pass, both ways: those named here and no others (RFC 10017 §6.1, ASVS 4.1.3). Cookies, forwarding
// claims and hop-by-hop headers of either side never do.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

const REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match'
] as const

const ANSWER_HEADERS = [
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
  'x-correlation-id'
] as const

/** The headers that an upstream gets. */
export function upstreamHeaders(request: FastifyRequest, token: string): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'x-forwarded-for': request.ip,
    'x-request-id': request.id
  }
  for (const name of REQUEST_HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  request.trip.writeTrace(headers)
  return headers
}

/** What is answered to one person is nobody else's: it is not stored on the way. */
export const PRIVATE = 'private, no-cache'
/** A secret, or a whole file: not even the caller's own browser writes it down beside what was asked for (RFC 9111 §5.2.2.5). */
export const NO_STORE = 'no-store'
export type Caching = typeof PRIVATE | typeof NO_STORE

/** The headers that the caller gets. */
export function callerHeaders(answer: IncomingHttpHeaders, caching: Caching): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': caching }
  for (const name of ANSWER_HEADERS) {
    const value = answer[name]
    if (typeof value === 'string') headers[name] = value
  }
  const { location } = answer
  // A path stays with us; any other address could lead people away or show an internal host.
  // Browsers drop tabs and read a backslash as a slash: neither is in a path that stays here.
  if (location !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(location))
    headers.location = location
  return headers
}
