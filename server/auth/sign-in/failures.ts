// Finds out why a sign-in failed and which system caused it, for the page, the log and the metrics.
import { causesOf, isTimeClaim, oauthCodeOf } from '../../error-causes.ts'
import { Problem } from '../../errors.ts'
import type { SignInOutcome } from '../../observability/recorder.ts'

export interface SignInFailure {
  outcome: SignInOutcome
  /** The system that failed; part of the failure page's address. */
  by: 'authority' | 'management-api' | 'session-store' | 'gateway'
  /** The code of the authority or API if it is known, otherwise our own. */
  reason: string
  /** When a new attempt may succeed, if that is known. */
  retryAfterSeconds?: number | undefined
}

/**
 * Outcomes by the authority's error code (RFC 6749, sections 4.1.2.1 and 5.2, OpenID Connect Core, section 3.1.2.6). Unknown
 * codes are not shown, because anybody can write them into the callback's address.
 */
const CODES: Readonly<Record<string, SignInOutcome>> = {
  access_denied: 'denied',
  login_required: 'denied',
  consent_required: 'denied',
  interaction_required: 'denied',
  account_selection_required: 'denied',
  server_error: 'failed',
  temporarily_unavailable: 'unavailable',
  slow_down: 'unavailable',
  invalid_grant: 'refused',
  invalid_client: 'misconfigured',
  unauthorized_client: 'misconfigured',
  invalid_request: 'misconfigured',
  invalid_scope: 'misconfigured',
  unsupported_grant_type: 'misconfigured',
  unsupported_response_type: 'misconfigured'
}

const PROBLEMS: Readonly<Record<string, SignInOutcome>> = {
  upstream_unauthorized: 'refused',
  upstream_timeout: 'slow'
}

const WRONG_CLOCK = 'the clock of this machine or of the authority is wrong'

export function signInFailure(error: unknown): SignInFailure {
  const causes = causesOf(error)
  const code = oauthCodeOf(error)
  const outcome = CODES[code ?? '']
  if (code !== undefined && outcome !== undefined) return { outcome, by: 'authority', reason: code }
  if (error instanceof Problem && error.id !== 'authority_unavailable') return ofProblem(error)
  // The token endpoint's answer to a client with a wrong authorization header (RFC 6749, section 5.2).
  if (causes.some(({ status }) => status === 401))
    return { outcome: 'misconfigured', by: 'authority', reason: 'invalid_client' }
  if (causes.some(({ claim }) => isTimeClaim(claim)))
    return { outcome: 'refused', by: 'gateway', reason: WRONG_CLOCK }
  if (causes.some(({ name }) => name === 'TimeoutError'))
    return { outcome: 'slow', by: 'authority', reason: 'no answer in time' }
  if (error instanceof Problem) return { outcome: 'unavailable', by: 'authority', reason: 'unusable answer' }
  return { outcome: 'refused', by: 'gateway', reason: 'failed checks' }
}

function ofProblem({ id, status, options }: Problem): SignInFailure {
  if (id === 'too_many_sign_ins')
    return { outcome: 'busy', by: 'gateway', reason: id, retryAfterSeconds: options.retryAfterSeconds }
  const by = id === 'session_store_unavailable' ? 'session-store' : 'management-api'
  return { outcome: PROBLEMS[id] ?? (status >= 500 ? 'unavailable' : 'refused'), by, reason: id }
}
