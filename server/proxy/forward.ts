// Passes one authorised call on and its answer back, long ones streamed. After an upstream's 401 it is repeated once
// with another token. It stops when the caller goes. What may be called is decided before.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher } from 'undici'
import { problems } from '../errors.ts'
import { goneSignal } from '../upstreams/gone.ts'
import { errorBody } from '../upstreams/transport/error-body.ts'
import { answerProblem, connectionProblem } from '../upstreams/transport/failures.ts'
import type { Upstream } from '../upstreams/transport/pools.ts'
import { type Caching, callerHeaders, upstreamHeaders } from './headers.ts'

/** An upstream's answer: a short one as a whole, any other as a stream. */
export interface Answer {
  statusCode: number
  headers: IncomingHttpHeaders
  body: Buffer | Readable
}

/** Answers up to this declared length are read whole: one that breaks off is then a failure and not half a body. */
const WHOLE_MAX_BYTES = 64 * 1024

/**
 * Sends the call upstream; a long answer is still to be read. Throws a problem when the upstream refuses or fails.
 * @param path with the upstream's base path, as it was authorised, without query
 */
export async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  upstream: Upstream,
  path: string
): Promise<Answer> {
  const { caller } = request
  if (!caller) throw problems.notSignedIn()
  const gone = goneSignal(reply)

  const send = async (token: string): Promise<Answer> => {
    const leave = await upstream.enter(request.trace, gone, { method: request.method, path })
    try {
      // It may have waited in line.
      await caller.assertSignedIn()
      const { statusCode, headers, body } = await upstream.pool.request({
        method: request.method as Dispatcher.HttpMethod,
        path: path + request.upstreamQuery,
        headers: upstreamHeaders(request, token),
        body: Buffer.isBuffer(request.body) ? request.body : null,
        signal: gone
      })
      body.once('close', () => leave(statusCode))
      if (Number(headers['content-length']) <= WHOLE_MAX_BYTES)
        return { statusCode, headers, body: Buffer.from(await body.arrayBuffer()) }
      // Its reader handles failures; one that comes earlier must not be an uncaught exception.
      body.on('error', () => {})
      return { statusCode, headers, body }
    } catch (error) {
      leave()
      throw connectionProblem(error)
    }
  }

  const token = await caller.accessToken()
  let answer = await send(token)
  if (answer.statusCode === 401) {
    if (!Buffer.isBuffer(answer.body)) answer.body.destroy()
    const other = await caller.replaceToken(token)
    if (other === null) throw caller.kind === 'bearer' ? problems.notSignedIn() : answerProblem(401, null)
    answer = await send(other)
  }
  if (answer.statusCode >= 400) throw answerProblem(answer.statusCode, await errorBody(answer))
  return answer
}

/** Sends the answer to the caller, who may keep it as `caching` says. */
export function passOn(
  { statusCode, headers, body }: Answer,
  reply: FastifyReply,
  caching: Caching
): FastifyReply {
  reply.code(statusCode).headers(callerHeaders(headers, caching))
  return Buffer.isBuffer(body) && body.length === 0 ? reply.send() : reply.send(body)
}
