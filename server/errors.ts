// Answers failures with RFC 9457 problem+json. A Problem is shown to its caller; any other error is logged and answered with a
// generic 500. General texts come from shared/messages.ts.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem as ProblemBody } from '#shared/answers/portal.ts'
import { excerpt } from '#shared/excerpt.ts'
import { ACCOUNT_REFUSED, messageForStatus } from '#shared/messages.ts'

/** Why a body was refused, and the field of the body if the upstream names one. */
export type Reason = NonNullable<ProblemBody['errors']>[number]

export interface ProblemOptions {
  title?: string
  detail?: string
  errors?: readonly Reason[]
  /** The upstream's error code. */
  code?: string | undefined
  retryAfterSeconds?: number
  /** The scope that the caller's token lacks. */
  lackedScope?: string
  /** The status of the upstream's answer. Not shown. */
  upstreamStatus?: number
  /** For the log only. */
  cause?: unknown
}

/** A failure that is shown to its caller. `id` is stable and never renamed. */
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
  lacksScope: (lackedScope: string) =>
    new Problem(403, 'forbidden', {
      title: 'Not allowed',
      detail: `The token lacks the scope ${lackedScope}.`,
      lackedScope
    }),
  /** For an answer that took so long that the caller's rights have changed meanwhile. */
  rolesChanged: () => problems.forbidden('Your roles have changed. Ask again.'),
  notFound: (detail = 'There is nothing at this address.', code?: string) =>
    new Problem(404, 'not_found', { title: 'Not found', detail, code }),
  /** @param types the media types that the call offers */
  notAcceptable: (types: readonly string[]) =>
    new Problem(406, 'not_acceptable', {
      title: 'Not acceptable',
      detail: `This call answers with ${types.join(', ')}: the header Accept must name one of them.`
    }),
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
  /** @param maxBytes limit of the route; undefined if no request could be read */
  bodyTooLarge: (maxBytes?: number) =>
    new Problem(413, 'body_too_large', {
      title: 'Too large',
      detail: `The body is larger than any call needs${maxBytes ? `: ${maxBytes / 1024} KiB at most` : ''}.`
    }),
  tooManyCalls: (retryAfterSeconds: number) =>
    new Problem(429, 'too_many_calls', {
      title: 'Too many calls',
      detail: 'Wait a little before the next call.',
      retryAfterSeconds
    }),
  /** Retry after half of `signInWaitMs`: by then, about half of a full queue has signed in. */
  tooManySignIns: () => new Problem(503, 'too_many_sign_ins', { retryAfterSeconds: 10 }),
  /** @param retryAfterSeconds differs, so that refused callers do not return together */
  tooManyStreams: (retryAfterSeconds: number) =>
    new Problem(503, 'too_many_streams', {
      detail: 'Live updates are not available right now.',
      retryAfterSeconds
    }),
  streamsOff: () =>
    new Problem(501, 'streams_off', {
      title: 'Not available',
      detail: 'Live updates are switched off.'
    }),
  upstreamBusy: () => new Problem(503, 'upstream_busy', { retryAfterSeconds: 1 }),
  upstreamTimeout: (cause?: unknown) => new Problem(504, 'upstream_timeout', { cause }),
  /** @param limit the missed limit, for the log */
  upstreamTooSlow: (limit: string) => new Problem(504, 'upstream_too_slow', { cause: new Error(limit) }),
  upstreamUnreachable: (cause?: unknown) =>
    new Problem(503, 'upstream_unreachable', { retryAfterSeconds: 2, cause }),
  upstreamCutOff: (cause?: unknown) => new Problem(504, 'upstream_cut_off', { cause }),
  upstreamGarbled: (cause?: unknown) => new Problem(502, 'upstream_garbled', { cause }),
  /** @param limit the exceeded limit, for the log */
  upstreamTooLarge: (limit: string) => new Problem(502, 'upstream_too_large', { cause: new Error(limit) }),
  inventoryUnavailable: (cause?: unknown) =>
    new Problem(503, 'inventory_unavailable', { retryAfterSeconds: 1, cause }),
  clientGone: () => new Problem(499, 'client_gone')
}

const malformed = () => problems.badRequest('The request could not be understood.')

/** Fastify's own refusals by status, except for malformed requests. */
const REFUSED_BY_FASTIFY: Record<number, (request: FastifyRequest) => Problem> = {
  413: ({ routeOptions }) => problems.bodyTooLarge(routeOptions.bodyLimit),
  415: () => new Problem(415, 'media_type', { title: 'Unsupported media type', detail: 'Send JSON.' })
}

const CHALLENGE = 'Bearer realm="portal"'

/** The challenge of a refusal (RFC 6750, section 3); undefined if it needs none. Browsers ignore this scheme. */
function challengeOf({ status, id, options }: Problem, { identity }: FastifyRequest): string | undefined {
  if (status === 401) return id === 'bad_token' ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE
  if (status !== 403 || identity?.kind !== 'bearer') return undefined
  const scope = options.lackedScope === undefined ? '' : `, scope="${options.lackedScope}"`
  return `${CHALLENGE}, error="insufficient_scope"${scope}`
}

/**
 * Headers of every answer except the client's page: forbid running, framing and embedding it. Defined here, because
 * refusals before any hook need these headers too.
 */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
}

/** Maximum length of a detail: longer than all our own texts, but too short to repeat a body. */
const DETAIL_MAX_CHARACTERS = 500

/** The JSON of a problem (RFC 9457). */
export function problemBody({ status, id, options }: Problem, requestId: string): ProblemBody {
  const message = messageForStatus(status)
  return {
    type: `urn:portal:problem:${id}`,
    title: options.title ?? message.title,
    status,
    detail: excerpt(options.detail ?? message.text, DETAIL_MAX_CHARACTERS),
    ...(options.code === undefined ? {} : { code: options.code }),
    ...(options.errors?.length ? { errors: [...options.errors] } : {}),
    requestId
  }
}

/** Sends a problem as application/problem+json. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  request.problemId = problem.id
  const { retryAfterSeconds } = problem.options
  const challenge = challengeOf(problem, request)
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  return reply
    .headers(DATA_HEADERS)
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problemBody(problem, request.id)))
}

/** Problems by the error code of Node's HTTP parser. Other codes mean a malformed request. */
const UNREADABLE: Record<string, () => Problem> = {
  HPE_HEADER_OVERFLOW: () =>
    new Problem(431, 'headers_too_large', {
      title: 'Too large',
      detail: 'The headers are larger than any call needs.'
    }),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => problems.bodyTooLarge(),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new Problem(408, 'request_timeout', { title: 'Too slow', detail: 'The request took too long to arrive.' })
}

/** Answers bytes that Node cannot read as HTTP and for which there is no request. */
export function answerMalformed(error: { code?: string }, socket: Socket): void {
  const problem = (UNREADABLE[error.code ?? ''] ?? malformed)()
  if (!socket.writable) return
  const text = JSON.stringify(problemBody(problem, crypto.randomUUID()))
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'content-type: application/problem+json; charset=utf-8',
    'cache-control: no-store',
    ...Object.entries(DATA_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close'
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  // Further data of the client is not read.
  socket.destroySoon()
}

/** Fastify's error handler. Pages of auth/routes.ts redirect some failures instead. */
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
    request.log.info({ problem: 'client_gone' }, 'client disconnected')
    return reply
  }
  const status = error?.statusCode ?? 500
  if (status < 500) {
    const invalid = error.validation && (() => problems.badRequest(error.message))
    return sendProblem(request, reply, (REFUSED_BY_FASTIFY[status] ?? invalid ?? malformed)(request))
  }
  request.log.error({ err: error }, 'unexpected failure')
  return sendProblem(request, reply, new Problem(500, 'internal'))
}
