// Passes one authorised call on and its answer back, long ones streamed. After an upstream's 401 it is repeated once
// with another token. It stops when the caller goes. What may be called is decided before.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher } from 'undici'
import { problems } from '../errors.ts'
import { answerProblem, connectionProblem } from '../upstreams/failures.ts'
import { goneSignal } from '../upstreams/gone.ts'
import type { Upstream } from '../upstreams/pools.ts'
import { errorBody } from './error-body.ts'
import { type Answer, Exchange } from './exchange.ts'
import { type Caching, callerHeaders, upstreamHeaders } from './headers.ts'

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
  let underWay: Exchange | null = null
  gone.addEventListener('abort', () => underWay?.cancel(problems.clientGone()))

  const send = async (token: string): Promise<Answer> => {
    const leave = await upstream.enter(request.trip, gone)
    try {
      if (gone.aborted) throw problems.clientGone()
      underWay = new Exchange(upstream.pool, {
        method: request.method as Dispatcher.HttpMethod,
        path: path + request.upstreamQuery,
        headers: upstreamHeaders(request, token),
        body: Buffer.isBuffer(request.body) ? request.body : null
      })
      const answer = await underWay.answer
      const { statusCode, body } = answer
      if (Buffer.isBuffer(body)) leave(statusCode)
      else body.once('close', () => leave(statusCode))
      return answer
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
