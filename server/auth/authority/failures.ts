// Distinguishes refusals of the authority from temporary failures.
import * as oidc from 'openid-client'
import { causesOf } from '../../error-causes.ts'

/** OAuth errors about the client or a temporary state, not about the tokens (RFC 6749, sections 4.1.2.1 and 5.2). */
const NOT_ABOUT_THE_TOKENS = [
  'invalid_client',
  'unauthorized_client',
  'temporarily_unavailable',
  'server_error',
  'slow_down'
]
/** openid-client's codes for answers that are not OAuth, such as an HTML page. An empty 400 is a refusal. */
const NO_OAUTH_ANSWER = ['OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_PARSE_ERROR']
/** fetch's messages for network failures. Other TypeErrors are about the answer. */
const NETWORK_FAILURE = /^(?:fetch failed|terminated)$/

/** Whether the authority refused: status 400, or a 4xx with an OAuth error about the tokens. Other failures may be temporary. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) {
    return (
      error.status >= 400 &&
      error.status < 500 &&
      error.status !== 429 &&
      !NOT_ABOUT_THE_TOKENS.includes(error.error)
    )
  }
  const response = (error as { cause?: unknown }).cause
  return response instanceof Response && response.status === 400
}

/** Whether the authority failed instead of refusing. */
export function isTrouble(error: unknown): boolean {
  return causesOf(error).some((failure) => {
    const { status, name, cause, code, error: oauthCode } = failure
    if (typeof status === 'number' && (status >= 500 || status === 429)) return true
    if (failure instanceof TypeError && NETWORK_FAILURE.test(failure.message)) return true
    if (name === 'TimeoutError' || failure instanceof oidc.WWWAuthenticateChallengeError) return true
    if (NOT_ABOUT_THE_TOKENS.some((listedCode) => listedCode === oauthCode)) return true
    return (
      NO_OAUTH_ANSWER.some((listedCode) => listedCode === code) &&
      (cause as Response | undefined)?.status !== 400
    )
  })
}
