import type { Problem } from '#shared/entities.ts'
import { type Message, messageForStatus } from '#shared/messages.ts'

/** An answer that is not one, from the gateway's problem document or from the lack of any. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: string | null
  readonly requestId: string | null

  constructor(status: number, problem: Partial<Problem> = {}) {
    const { title, text } = messageForStatus(status)
    super(problem.title ?? title)
    this.status = status
    this.title = problem.title ?? title
    this.detail = problem.detail ?? text
    this.code = problem.code ?? null
    this.requestId = problem.requestId ?? null
  }
}

/** §8 maps lost connections to the same message as a gateway that timed out. */
export const UNREACHABLE_STATUS = 503

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Nothing there, or nothing for this person: a page says the same of both. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403)
}

export interface Failure extends Message {
  requestId: string | null
}

/** What a screen says about an error (§8). */
export function failureOf(error: unknown): Failure {
  const known = error instanceof ApiError ? error : null
  return { ...messageForStatus(known?.status ?? 500), requestId: known?.requestId ?? null }
}
