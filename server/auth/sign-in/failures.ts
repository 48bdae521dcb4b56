// Why a sign-in did not finish and which system said so, for the page, the log and the metrics.
import { causesOf, oauthCodeOf } from '../../config/remedies.ts'
import { Problem } from '../../errors.ts'
import type { SignInOutcome } from '../../observability/recorder.ts'

export interface SignInFailure {
  outcome: SignInOutcome
  /** Which system did not do its part; a word of the address that the person is led to. */
  by: 'authority' | 'management-api' | 'session-store' | 'gateway'
  /** The authority's or API's own code where it is known, else a word of ours. */
  reason: string
}

/**
 * Codes of an authority (RFC 6749, sections 4.1.2.1 and 5.2, OpenID Connect Core, section 3.1.2.6). Others are not
 * repeated: anybody could write them into the address.
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

export function signInFailure(error: unknown): SignInFailure {
  const causes = causesOf(error)
  const code = oauthCodeOf(error)
  const outcome = CODES[code ?? '']
  if (code !== undefined && outcome !== undefined) return { outcome, by: 'authority', reason: code }
  if (error instanceof Problem && error.id !== 'authority_unavailable') return ofProblem(error)
  // A token endpoint says so of a client that proved itself by a header (RFC 6749, section 5.2).
  if (causes.some(({ status }) => status === 401))
    return { outcome: 'misconfigured', by: 'authority', reason: 'invalid_client' }
  if (causes.some(({ name }) => name === 'TimeoutError'))
    return { outcome: 'slow', by: 'authority', reason: 'no answer in time' }
  if (error instanceof Problem) return { outcome: 'unavailable', by: 'authority', reason: 'no good answer' }
  return { outcome: 'refused', by: 'gateway', reason: 'not as asked for' }
}

function ofProblem({ id, status }: Problem): SignInFailure {
  const by = id === 'session_store_unavailable' ? 'session-store' : 'management-api'
  return { outcome: PROBLEMS[id] ?? (status >= 500 ? 'unavailable' : 'refused'), by, reason: id }
}
