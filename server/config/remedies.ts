// Suggests fixes to operators if a server cannot be reached or trusted.

/** One line of `--check`. */
export interface Finding {
  what: string
  where: string
  /** The problem and its fix; null if there is no problem. */
  problem: string | null
}

const CAUSES_MAX = 5
/** The text that describes a timeout. */
export const NO_ANSWER = 'no answer in time'
const UNKNOWN_AUTHORITY = 'unknown certificate authority'

/** Problems of a certificate, by Node's error code. */
const CERTIFICATES: Readonly<Record<string, string>> = {
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
  for (let one = error; one instanceof Object && causes.length < CAUSES_MAX; ) {
    causes.push(one as Record<string, unknown>)
    one = (one as { cause?: unknown }).cause
  }
  return causes
}

/** The code of the OAuth error among the causes (RFC 6749, section 5.2). */
export function oauthCodeOf(error: unknown): string | undefined {
  return causesOf(error)
    .map((one) => one.error)
    .find((code) => typeof code === 'string')
}

/** A short reason for a network failure. */
export function networkReason(error: unknown): string {
  const causes = causesOf(error)
  if (causes.some(({ name }) => name === 'TimeoutError')) return NO_ANSWER
  const code = causes.map(({ code }) => code).find((code) => typeof code === 'string' && code !== '')
  const deepest = causes.at(-1)?.message
  return CERTIFICATES[String(code)] ?? String(code ?? deepest)
}

/** Describes a network failure and its fix. @param settings names of the settings with the server's address */
export function networkRemedy(error: unknown, settings: string): string {
  const reason = networkReason(error)
  if (reason === UNKNOWN_AUTHORITY)
    return `it is not trusted (${reason}): add the certificate of its authority to the file in EXTRA_CA_CERTS_FILE`
  if (Object.values(CERTIFICATES).includes(reason)) return `it is not trusted (${reason}): check ${settings}`
  return `it cannot be reached (${reason}): check ${settings} and the network`
}
