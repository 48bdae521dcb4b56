// Maps failures of upstream calls to problems. Addresses and raw messages appear only in the log.
import { errors } from 'undici'
import { excerpt } from '#shared/excerpt.ts'
import { CODES } from '#shared/messages.ts'
import { Problem, problems, type Reason } from '../../errors.ts'
import { raw } from '../fields.ts'

/** Maps a failure of the connection (not an HTTP answer) to a problem: 504 after a timeout, 499 after an abort, else 503. */
export function connectionProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return problems.upstreamTimeout(error)
  if (error instanceof errors.ConnectTimeoutError) return problems.upstreamTimeout(error)
  const name = (error as Error | undefined)?.name
  if (name === 'TimeoutError') return problems.upstreamTimeout(error)
  if (name === 'AbortError') return problems.clientGone()
  return problems.upstreamUnreachable(error)
}

/** Codes of failures before a connection was open, so that the upstream did not get the call. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL'
]

/**
 * As `connectionProblem`, for a call that changes something: 504 if the connection failed after it was open, because the
 * upstream may have carried out the call.
 */
export function changeProblem(error: unknown): Problem {
  const problem = connectionProblem(error)
  const code = (error as { code?: string } | undefined)?.code ?? ''
  return isUnreachable(problem) && !NOT_CONNECTED.includes(code) ? problems.upstreamCutOff(error) : problem
}

/** Whether a retry may help because the call did not reach the upstream. A 503 from the upstream itself is not retried. */
export function isUnreachable(problem: Problem): boolean {
  return problem.id === 'upstream_unreachable'
}

const CODE = /^[\w.:-]{1,100}$/
const SCREEN_CODES: readonly string[] = Object.values(CODES)

/**
 * The code of an upstream error body, `{ errors: [{ code }] }` or `{ code }`: the first code for which the screens have a
 * message, else the first code. Undefined if there is no valid code.
 */
export function upstreamCode(body: unknown): string | undefined {
  const { errors: list, code } = raw(body)
  const listCodes = Array.isArray(list) ? list.map((entry) => raw(entry).code) : []
  const codes = [...listCodes, code].filter(
    (value): value is string => typeof value === 'string' && CODE.test(value)
  )
  return codes.find((value) => SCREEN_CODES.includes(value)) ?? codes[0]
}

const REASONS_MAX = 10
const REASON_MAX_CHARACTERS = 200
const FIELD = /^[\w.[\]/-]{1,100}$/

/** Why an upstream refused a body: each reason of `{ errors: [{ message, field }] }`, or the `detail` or `message`. */
function upstreamReasons(body: unknown): Reason[] {
  const { errors: list, detail, message } = raw(body)
  const listed = Array.isArray(list) ? list.slice(0, REASONS_MAX) : []
  const reasons = listed.flatMap((entry) => {
    const { message: text, detail: otherText, field } = raw(entry)
    return reasonOf(text ?? otherText, field)
  })
  return reasons.length > 0 ? reasons : reasonOf(detail ?? message)
}

function reasonOf(text: unknown, field?: unknown): Reason[] {
  if (typeof text !== 'string' || text.trim() === '') return []
  const reason = { detail: excerpt(text.trim(), REASON_MAX_CHARACTERS) }
  return [typeof field === 'string' && FIELD.test(field) ? { ...reason, field } : reason]
}

/** A refusal that names its reasons, because the person can correct the input. */
function unprocessable(body: unknown, code: string | undefined): Problem {
  const errors = upstreamReasons(body)
  const detail =
    errors.map((reason) => sentence(reason.detail)).join(' ') || 'The service did not accept this.'
  return new Problem(422, 'upstream_refused', { title: 'Not accepted', detail, code, errors })
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** Problem id: the upstream refused the token. The caller gets no 401, because signing in again would not help. */
export const UNAUTHORIZED = 'upstream_unauthorized'

/**
 * Maps an upstream's error answer to a problem: 401 and server errors become 502, 503 or 504, 429 becomes 503. Only a 422 keeps
 * the upstream's text.
 */
export function answerProblem(status: number, body: unknown): Problem {
  const code = upstreamCode(body)
  if (status === 404) return problems.notFound(undefined, code)
  if (status === 403) return problems.forbidden(undefined, code)
  if (status === 401) return new Problem(502, UNAUTHORIZED, { code })
  // Unlike after a 503, the upstream may have carried out the call.
  if (status === 504) return new Problem(504, 'upstream_timeout', { code })
  if (status === 503 || status === 429)
    return new Problem(503, 'upstream_unavailable', { code, retryAfterSeconds: 2 })
  if (status >= 500) return new Problem(502, 'upstream_failed', { code })
  if (status === 422) return unprocessable(body, code)
  return new Problem(status, 'upstream_refused', { code })
}

/** Ids of problems that affect every caller, without an answer from the upstream. */
const OUTAGES: ReadonlySet<string> = new Set([
  'session_store_unavailable',
  'upstream_busy',
  'upstream_timeout',
  'upstream_unreachable',
  'inventory_unavailable'
])
const OUTAGE_ANSWERS = [502, 503, 504]

/**
 * Whether the failure affects every caller. A refused token, a rate limit (429), a 500 and an answer that cannot be parsed may
 * concern one caller only.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  const { upstreamStatus } = error.options
  return upstreamStatus === undefined ? OUTAGES.has(error.id) : OUTAGE_ANSWERS.includes(upstreamStatus)
}

/** The session store failed, so the session may have ended. */
export const STORE_FAILED = 'session_store_unavailable'
/** Ids of problems because of which a call has no token: no upstream was called. */
export const WITHOUT_TOKEN = ['authority_unavailable', STORE_FAILED]

/**
 * Whether a failure concerns only the caller whose token was used: the upstream refused or rate-limited the token (4xx), or
 * there was no token. Callers of equal visibility may share all other failures.
 */
export function concernsCaller(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return (error.options.upstreamStatus ?? error.status) < 500 || WITHOUT_TOKEN.includes(error.id)
}

/** Whether further calls of the caller would fail as well: the API is away or refuses more calls, or there is no token. */
export function concernsFurtherCalls(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  const { upstreamStatus } = error.options
  return isOutage(error) || (upstreamStatus === undefined ? concernsCaller(error) : upstreamStatus === 429)
}

const REFUSALS = [401, 403, 404]

/** Whether the caller may not read the data: the upstream refused it, or there is no session. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Problem && REFUSALS.includes(error.options.upstreamStatus ?? error.status)
}
