import type { Problem } from '#shared/answers/portal.ts'
import { CODES, FAILURES, type Message, messageForStatus } from '#shared/messages.ts'

/** A failed call, with the gateway's problem document if there is one. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly type: string | undefined
  readonly title: string
  readonly detail: string
  readonly code: string | null
  /** Why the body was refused, by the body's field; of the fields that the answer names. */
  readonly fieldReasons: ReadonlyMap<string, string>
  readonly requestId: string | null
  /** The gateway's Retry-After; 0 if there is none. */
  readonly retryAfterSeconds: number

  constructor(status: number, problem: Partial<Problem> = {}, retryAfterSeconds = 0) {
    const { title, text } = messageForStatus(status)
    super(problem.title ?? title)
    this.status = status
    this.type = problem.type
    this.title = problem.title ?? title
    this.detail = problem.detail ?? text
    this.code = problem.code ?? null
    this.fieldReasons = new Map(
      problem.errors?.flatMap(({ field, detail }) => (field === undefined ? [] : [[field, detail]]))
    )
    this.requestId = problem.requestId ?? null
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Status of an ApiError for a lost connection, so that people see the same message as for a timeout. */
export const UNREACHABLE_STATUS = 503

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether the object is missing or forbidden. Pages show the same message for both. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403)
}

const ANSWER_LOST = [499, 502, 504]
/** The API refused the gateway's token, so nothing was changed. */
const TOKEN_REFUSED_TYPE = 'urn:portal:problem:upstream_unauthorized'

/** Whether the gateway may have carried out the call although its answer was lost. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.type === TOKEN_REFUSED_TYPE) return false
  return (
    ANSWER_LOST.includes(error.status) || (error.status === UNREACHABLE_STATUS && error.requestId === null)
  )
}

export interface Failure extends Message {
  requestId: string | null
}

const OFFLINE: Failure = {
  title: 'You are offline',
  text: 'Try again once you are connected.',
  requestId: null
}

/** The message for an error. While the browser is offline, it is always the message for a lost connection. */
export function failureOf(error: unknown): Failure {
  if (!navigator.onLine) return OFFLINE
  const apiError = error instanceof ApiError ? error : null
  if (isInputRefused(error)) return { title: error.title, text: error.detail, requestId: error.requestId }
  return { ...messageForStatus(apiError?.status ?? 500), requestId: apiError?.requestId ?? null }
}

/** Whether a failed change leaves the screen with old data: the object has changed, no longer exists, or may have changed. */
export function mustReload(error: unknown): boolean {
  if (isOutcomeUnknown(error)) return true
  return error instanceof ApiError && (error.status === 404 || isDataConflict(error))
}

function isDataConflict({ status, code }: ApiError): boolean {
  return status === 409 && code !== CODES.lastAdmin
}

/** Statuses of refusals that explain themselves. */
const EXPLAINED = [400, 403, 404, 409, 413, 422, 429]

const NO_REASONS: ReadonlyMap<string, string> = new Map()

/** Why the service refused the body, by the body's field. */
export function fieldReasonsOf(error: unknown): ReadonlyMap<string, string> {
  return error instanceof ApiError ? error.fieldReasons : NO_REASONS
}

/** Whether the service refused the input, so that the same input would be refused again. */
export function isInputRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 422
}

/** Why a change failed: the gateway's reason if it refused the change, else a general message. */
export function refusalText(error: unknown): string {
  if (error instanceof ApiError) {
    if (isDataConflict(error)) return `${FAILURES.conflict.title}. ${FAILURES.conflict.text}`
    if (EXPLAINED.includes(error.status)) return error.detail
  }
  const { title, text } = failureOf(error)
  return `${title}. ${text}`
}
