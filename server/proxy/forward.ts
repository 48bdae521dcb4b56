// Passes one authorised call on and its answer back, long ones streamed. After an upstream's 401 it is repeated once
// with another token. It stops when the caller goes. What may be called is decided before.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher } from 'undici'
import { Problem, problems } from '../errors.ts'
import { answerProblem, connectionProblem } from '../upstreams/failures.ts'
import type { Upstream } from '../upstreams/pools.ts'
import { type Answer, Exchange } from './exchange.ts'
import { type Caching, callerHeaders, upstreamHeaders } from './headers.ts'

const ERROR_BODY_MAX_CHARACTERS = 64 * 1024

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
  let gone = false
  let underWay: Exchange | null = null
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return
    gone = true
    underWay?.cancel(problems.clientGone())
  })

  const token = await caller.accessToken()
  if (gone) throw problems.clientGone()
  const leave = upstream.enter(request.trip)
  let answered: number | undefined

  const queryAt = request.raw.url?.indexOf('?') ?? -1
  const target = queryAt < 0 ? path : path + request.raw.url?.slice(queryAt)
  const send = (bearer: string) => {
    underWay = new Exchange(upstream.pool, {
      method: request.method as Dispatcher.HttpMethod,
      path: target,
      headers: upstreamHeaders(request, bearer),
      body: Buffer.isBuffer(request.body) ? request.body : null
    })
    return underWay.answer
  }

  try {
    let answer = await send(token)
    if (answer.statusCode === 401) {
      if (!Buffer.isBuffer(answer.body)) answer.body.destroy()
      const other = await caller.replaceToken(token)
      if (other === null) throw caller.kind === 'bearer' ? problems.notSignedIn() : answerProblem(401, null)
      if (gone) throw problems.clientGone()
      answer = await send(other)
    }
    const { statusCode, body } = answer
    answered = statusCode
    if (Buffer.isBuffer(body)) leave(statusCode)
    else body.once('close', () => leave(statusCode))
    if (answer.statusCode >= 400) throw answerProblem(answer.statusCode, await errorBody(answer.body))
    return answer
  } catch (error) {
    leave(answered)
    throw error instanceof Problem ? error : connectionProblem(error)
  }
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

/** An upstream's refusal is told in our own form, with its code (RFC 9457). */
async function errorBody(body: Answer['body']): Promise<unknown> {
  try {
    let text = ''
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
      text += chunk
      if (text.length > ERROR_BODY_MAX_CHARACTERS) return null
    }
    return JSON.parse(text)
  } catch {
    return null
  }
}
