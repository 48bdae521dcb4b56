// Failures as RFC 9457 problem+json. A Problem is known and shown; everything else is logged and answered by one
// generic 500. Texts come from shared/messages.ts (§8).
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem as ProblemBody } from '#shared/entities.ts'
import { excerpt } from '#shared/excerpt.ts'
import { ACCOUNT_REFUSED, messageForStatus } from '#shared/messages.ts'

export interface ProblemOptions {
  title?: string
  detail?: string
  /** The upstream's error code. */
  code?: string | undefined
  retryAfterSeconds?: number
  /** As an upstream answered, where it did; not told. */
  upstreamStatus?: number
  /** For the log only. */
  cause?: unknown
}

/** A failure that its caller is told about. `id` is stable and never renamed. */
export class Problem extends Error {
  readonly status: number
  readonly id: string
  readonly options: ProblemOptions

  constructor(status: number, id: string, options: ProblemOptions = {}) {
    super(`${status} ${id}${options.detail ? `: ${options.detail}` : ''}`, { cause: options.cause })
    this.status = status
    this.id = id
    this.options = options
  }
}

export const problems = {
  badRequest: (detail: string) => new Problem(400, 'bad_request', { title: 'Bad request', detail }),
  notSignedIn: (detail = 'Sign in and try again.') =>
    new Problem(401, 'not_signed_in', { title: 'Not signed in', detail }),
  accountRefused: (cause?: unknown) =>
    new Problem(401, 'account_refused', { title: 'Not signed in', detail: ACCOUNT_REFUSED, cause }),
  forbidden: (detail = 'Your roles do not allow this.', code?: string) =>
    new Problem(403, 'forbidden', { title: 'Not allowed', detail, code }),
  notFound: (detail = 'There is nothing at this address.', code?: string) =>
    new Problem(404, 'not_found', { title: 'Not found', detail, code }),
  storeUnavailable: (cause: unknown) =>
    new Problem(503, 'session_store_unavailable', {
      detail: 'Sessions cannot be read right now. You are still signed in.',
      retryAfterSeconds: 1,
      cause
    }),
  rolesUnknown: (retryAfterSeconds: number, cause: unknown) =>
    new Problem(503, 'roles_unknown', {
      detail: 'Your roles cannot be read right now. You are still signed in.',
      retryAfterSeconds,
      cause
    }),
  authorityUnavailable: (cause: unknown) =>
    new Problem(503, 'authority_unavailable', {
      detail: 'The sign-in service does not answer right now.',
      retryAfterSeconds: 2,
      cause
    }),
  upstreamBusy: () => new Problem(503, 'upstream_busy', { retryAfterSeconds: 1 }),
  upstreamTimeout: (cause?: unknown) => new Problem(504, 'upstream_timeout', { cause }),
  upstreamUnreachable: (cause?: unknown) =>
    new Problem(503, 'upstream_unreachable', { retryAfterSeconds: 2, cause }),
  upstreamGarbled: (cause?: unknown) => new Problem(502, 'upstream_garbled', { cause }),
  clientGone: () => new Problem(499, 'client_gone')
}

/** What Fastify itself refuses, other than malformed requests. */
const REFUSED_BY_FASTIFY: Record<number, () => Problem> = {
  413: () =>
    new Problem(413, 'body_too_large', {
      title: 'Too large',
      detail: 'The body is larger than any call needs.'
    }),
  415: () => new Problem(415, 'media_type', { title: 'Unsupported media type', detail: 'Send JSON.' })
}

/** RFC 6750 §3. Browsers do nothing with this scheme. */
const CHALLENGE = 'Bearer realm="portal"'
const CHALLENGES: Record<string, string> = { bad_token: `${CHALLENGE}, error="invalid_token"` }

/**
 * What every answer says that is no page of the client: nothing in it runs, is framed or is embedded. Refusals that come
 * before any hook say it too, so it stands here.
 */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
}

/** No sentence of ours is as long; whatever stands in one, an answer does not repeat a body. */
const DETAIL_MAX_CHARACTERS = 500

/** Sends a problem as application/problem+json. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  request.problemId = problem.id
  const { title, detail, code, retryAfterSeconds } = problem.options
  const message = messageForStatus(problem.status)
  const body: ProblemBody = {
    type: `urn:portal:problem:${problem.id}`,
    title: title ?? message.title,
    status: problem.status,
    detail: excerpt(detail ?? message.text, DETAIL_MAX_CHARACTERS),
    ...(code === undefined ? {} : { code }),
    requestId: request.id
  }
  if (problem.status === 401) reply.header('www-authenticate', CHALLENGES[problem.id] ?? CHALLENGE)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  return reply
    .headers(DATA_HEADERS)
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body))
}

/** How Node names what it could not read as HTTP, where that is more than malformed. */
const UNREADABLE: Record<string, [status: number, id: string, title: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'Too large', 'The headers are larger than any call needs.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'body_too_large',
    'Too large',
    'The body is larger than any call needs.'
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'Too slow', 'The request took too long to arrive.']
}
const MALFORMED = [400, 'bad_request', 'Bad request', 'The request could not be understood.'] as const

/** Answers what Node could not read as HTTP; there is no request to speak of. */
export function answerMalformed(error: { code?: string }, socket: Socket): void {
  const [status, id, title, detail] = UNREADABLE[error.code ?? ''] ?? MALFORMED
  const body: ProblemBody = {
    type: `urn:portal:problem:${id}`,
    title,
    status,
    detail,
    requestId: crypto.randomUUID()
  }
  if (!socket.writable) return
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/problem+json; charset=utf-8',
    'cache-control: no-store',
    ...Object.entries(DATA_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close'
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  // Whoever goes on sending is not listened to.
  socket.destroySoon()
}

/** The one error handler. */
export function handleError(
  error: FastifyError | Problem,
  request: FastifyRequest,
  reply: FastifyReply
): FastifyReply {
  if (error instanceof Problem) {
    if (error.status >= 500) request.log.warn({ problem: error.id, err: error.cause }, 'request failed')
    return sendProblem(request, reply, error)
  }
  if (error?.code === 'UND_ERR_ABORTED') {
    request.log.info({ problem: 'client_gone' }, 'the caller went')
    return reply
  }
  const status = error?.statusCode ?? 500
  if (status < 500) {
    const detail = error.validation ? error.message : 'The request could not be understood.'
    const known = REFUSED_BY_FASTIFY[status]
    return sendProblem(request, reply, known?.() ?? problems.badRequest(detail))
  }
  request.log.error({ err: error }, 'unexpected failure')
  return sendProblem(request, reply, new Problem(500, 'internal'))
}
