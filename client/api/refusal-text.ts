import { CODES, FAILURES } from '#shared/messages.ts'
import { ApiError, failureOf } from './api-error.ts'

/** Others changed it meanwhile, or it is gone: what is here is to be read again. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || isDataConflict(error))
}

function isDataConflict({ status, code }: ApiError): boolean {
  return status === 409 && code !== CODES.lastAdmin
}

/** Why a change was not made, in a sentence or two: the gateway's own words where it refused, else those of §8. */
export function refusalText(error: unknown): string {
  if (error instanceof ApiError) {
    if (isDataConflict(error)) return `${FAILURES.conflict.title}. ${FAILURES.conflict.text}`
    if (error.status === 404) return `${FAILURES.conflict.title}. ${error.detail}`
    if ([400, 403, 409].includes(error.status)) return error.detail
  }
  const { title, text } = failureOf(error)
  return `${title}. ${text}`
}
