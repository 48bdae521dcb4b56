// Sends an authorized call to the upstream, and its answer to the caller; streams long answers. Repeats the call once with
// another token after a 401. Stops when the caller disconnects. The time limit excludes the body of a streamed answer;
// slow-answers.ts limits its rate.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher } from 'undici'
import { Problem, problems } from '../errors.ts'
import { isSafe } from '../route-facts.ts'
import type { Caller } from '../types.ts'
import { disconnectController } from '../upstreams/disconnect-signal.ts'
import { errorBody } from '../upstreams/transport/error-body.ts'
import {
  answerProblem,
  changeProblem,
  connectionProblem,
  UNAUTHORIZED
} from '../upstreams/transport/failures.ts'
import type { Upstream } from '../upstreams/transport/pools.ts'
import { type Caching, callerHeaders, upstreamHeaders } from './headers.ts'

/** An upstream's answer. A short body is a buffer, a long one a stream. */
export interface Answer {
  statusCode: number
  headers: IncomingHttpHeaders
  body: Buffer | Readable
}

/** Bodies up to this declared length are buffered, so that the caller gets an error instead of half of a broken body. */
const WHOLE_MAX_BYTES = 64 * 1024

/**
 * Sends the call upstream and returns the answer; a long body is still unread. Throws a problem after a refusal or failure.
 * @param path the authorized path with the upstream's base path, without query
 */
export async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  upstream: Upstream,
  path: string
): Promise<Answer> {
  const { caller } = request
  if (!caller) throw problems.notSignedIn()
  const aborter = disconnectController(reply)
  const token = await caller.accessToken()
  const send = (token: string) => attempt(request, caller, upstream, path, token, aborter)
  try {
    return await send(token)
  } catch (error) {
    if (!(error instanceof Problem) || error.id !== UNAUTHORIZED) throw error
    const newToken = await caller.replaceToken(token)
    if (newToken === null) throw caller.kind === 'bearer' ? problems.notSignedIn() : error
    return send(newToken)
  }
}

async function attempt(
  request: FastifyRequest,
  caller: Caller,
  upstream: Upstream,
  path: string,
  token: string,
  aborter: AbortController
): Promise<Answer> {
  const call = { method: request.method as Dispatcher.HttpMethod, path }
  const logged = { ...call, path: request.server.withoutSecrets(path) }
  const entered = await upstream.enter(logged, aborter.signal, caller.share)
  const timer = setTimeout(() => aborter.abort(new DOMException('', 'TimeoutError')), upstream.timeoutMs)
  let status: number | undefined
  try {
    // The session or the roles may have ended while the call waited for a connection. Reading the roles again here could wait
    // for a connection that this call occupies.
    await request.confirmAccess()
    const answer = await upstream.pool.request({
      ...call,
      path: path + request.upstreamQuery,
      headers: upstreamHeaders(request, token, entered),
      body: Buffer.isBuffer(request.body) ? request.body : null,
      signal: aborter.signal
    })
    status = answer.statusCode
    answer.body.once('close', () => entered.leave(status))
    return await read(answer)
  } catch (error) {
    entered.leave(status)
    throw isSafe(request.method) ? connectionProblem(error) : changeProblem(error)
  } finally {
    clearTimeout(timer)
  }
}

async function read({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  if (statusCode >= 400) throw answerProblem(statusCode, await errorBody({ headers, body }))
  // The reader of the body handles its failure. Without this listener, an earlier failure would be an uncaught exception.
  body.on('error', () => {})
  if (statusCode === 304) {
    // A 304 may carry the content length of the full answer (RFC 9110, section 8.6); undici fails if that body is missing.
    body.resume()
    return { statusCode, headers: { ...headers, 'content-length': undefined }, body: Buffer.alloc(0) }
  }
  const isShort = Number(headers['content-length']) <= WHOLE_MAX_BYTES
  return { statusCode, headers, body: isShort ? Buffer.from(await body.arrayBuffer()) : body }
}

/** Sends the answer to the caller, with `caching` as its `cache-control`. */
export function sendAnswer(
  { statusCode, headers, body }: Answer,
  reply: FastifyReply,
  caching: Caching
): FastifyReply {
  reply.code(statusCode).headers(callerHeaders(headers, caching))
  return Buffer.isBuffer(body) && body.length === 0 ? reply.send() : reply.send(body)
}
