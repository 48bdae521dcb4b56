// Lists the headers that are forwarded in each direction (RFC 10017, section 6.1, ASVS 4.1.3). The
// caller's cookies, `X-Forwarded-*` headers and hop-by-hop headers are not forwarded.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { EnteredCall } from '../upstreams/transport/pools.ts'

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

/** The headers with one of these names and a single value. */
export function picked(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') values[name] = value
  }
  return values
}

/** The headers of the call to an upstream. */
export function upstreamHeaders(
  request: FastifyRequest,
  token: string,
  call: Pick<EnteredCall, 'writeHeaders'>
): Record<string, string> {
  const headers = picked(request.headers, REQUEST_HEADERS)
  headers.authorization = `Bearer ${token}`
  headers['x-forwarded-for'] = request.ip
  call.writeHeaders(headers)
  return headers
}

/** For answers to one caller: shared caches must not store them. */
export const PRIVATE = 'private, no-cache'
/** For secrets and files: no cache may store them, not even the browser's (RFC 9111, section 5.2.2.5). */
export const NO_STORE = 'no-store'
export type Caching = typeof PRIVATE | typeof NO_STORE

/** The headers of the answer to the caller. */
export function callerHeaders(answer: IncomingHttpHeaders, caching: Caching): Record<string, string> {
  const headers = picked(answer, ANSWER_HEADERS)
  headers['cache-control'] = caching
  const { location } = answer
  // Forward only a path of the portal: any other address could lead to another site or reveal an internal host.
  // Refuse tabs and backslashes too: browsers drop tabs and read a backslash as a slash.
  if (location !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(location))
    headers.location = location
  return headers
}
