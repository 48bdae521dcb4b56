// Passes one authorised call on and its answer back, streamed. After an upstream's 401 it is repeated once with
// another token. It stops when the caller goes. What may be called is decided before.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher } from 'undici'
import { Problem, problems } from '../errors.ts'
import { answerProblem, connectionProblem } from '../upstreams/failures.ts'
import type { Upstream } from '../upstreams/pools.ts'
import { callerHeaders, upstreamHeaders } from './headers.ts'

const ERROR_BODY_MAX_CHARACTERS = 64 * 1024

/**
 * Sends the call upstream; the answer is still to be read. Throws a problem when the upstream refuses or fails.
 * @param path with the upstream's base path, as it was authorised, without query
 */
export async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  upstream: Upstream,
  path: string
): Promise<Dispatcher.ResponseData> {
  const { caller } = request
  if (!caller) throw problems.notSignedIn()
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })

  const token = await caller.accessToken()
  if (gone.signal.aborted) throw problems.clientGone()
  const leave = upstream.enter(request.trip)
  let answered: number | undefined

  const queryAt = request.raw.url?.indexOf('?') ?? -1
  const target = queryAt < 0 ? path : path + request.raw.url?.slice(queryAt)
  const send = (bearer: string) =>
    upstream.pool.request({
      method: request.method as Dispatcher.HttpMethod,
      path: target,
      headers: upstreamHeaders(request, bearer),
      body: Buffer.isBuffer(request.body) ? request.body : null,
      signal: gone.signal
    })

  try {
    let answer = await send(token)
    if (answer.statusCode === 401) {
      await answer.body.dump()
      const other = await caller.replaceToken(token)
      if (other === null) throw caller.kind === 'bearer' ? problems.notSignedIn() : answerProblem(401, null)
      answer = await send(other)
    }
    const { statusCode } = answer
    answered = statusCode
    answer.body.once('close', () => leave(statusCode))
    if (answer.statusCode >= 400) throw answerProblem(answer.statusCode, await errorBody(answer.body))
    return answer
  } catch (error) {
    leave(answered)
    throw error instanceof Problem ? error : connectionProblem(error)
  }
}

/** Streams the answer to the caller. */
export function passOn(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  reply: FastifyReply,
  leadsElsewhere: boolean
): FastifyReply {
  return reply.code(statusCode).headers(callerHeaders(headers, leadsElsewhere)).send(body)
}

/** An upstream's refusal is told in our own form, with its code (RFC 9457). */
async function errorBody(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  try {
    let text = ''
    for await (const chunk of body) {
      text += chunk
      if (text.length > ERROR_BODY_MAX_CHARACTERS) return null
    }
    return JSON.parse(text)
  } catch {
    return null
  }
}
