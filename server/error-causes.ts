// Finds the causes of an error. `doctor/remedies.ts` says how to mend them.

const CAUSES_MAX = 5
/** The text that describes a timeout. */
export const NO_ANSWER = 'no answer in time'
export const UNKNOWN_AUTHORITY = 'unknown certificate authority'

/** Problems of a certificate, by Node's error code. */
const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name'
}

/** An error and its causes, outermost first. */
export function causesOf(error: unknown): Record<string, unknown>[] {
  const causes: Record<string, unknown>[] = []
  let cause = error
  while (cause instanceof Object && causes.length < CAUSES_MAX) {
    causes.push(cause as Record<string, unknown>)
    cause = (cause as { cause?: unknown }).cause
  }
  return causes
}

/** The code of the OAuth error among the causes (RFC 6749, section 5.2). */
export function oauthCodeOf(error: unknown): string | undefined {
  return causesOf(error)
    .map((cause) => cause.error)
    .find((code) => typeof code === 'string')
}

/** Claims that compare the authority's clock with ours (RFC 7519, section 4.1). */
const TIME_CLAIMS = ['iat', 'nbf', 'exp']

/** Whether a refused claim of a token shows that a clock is wrong, or that the token came too late. */
export function isTimeClaim(claim: unknown): boolean {
  return TIME_CLAIMS.includes(String(claim))
}

/** A short reason for a network failure. */
export function networkReason(error: unknown): string {
  const causes = causesOf(error)
  if (causes.some(({ name }) => name === 'TimeoutError')) return NO_ANSWER
  const code = causes.map(({ code }) => code).find((code) => typeof code === 'string' && code !== '')
  const deepestMessage = causes.at(-1)?.message
  return CERTIFICATE_PROBLEMS[String(code)] ?? String(code ?? deepestMessage)
}

/** Whether a reason of `networkReason` is a problem of a certificate. */
export function isCertificateProblem(reason: string): boolean {
  return Object.values(CERTIFICATE_PROBLEMS).includes(reason)
}
