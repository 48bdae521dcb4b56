// Suggests fixes to operators if a server cannot be reached or trusted.
import { isCertificateProblem, networkReason, UNKNOWN_AUTHORITY } from '../error-causes.ts'

/** Describes a network failure and its fix. @param settings names of the settings with the server's address */
export function networkRemedy(error: unknown, settings: string): string {
  const reason = networkReason(error)
  if (reason === UNKNOWN_AUTHORITY)
    return `it is not trusted (${reason}): add the certificate of its authority to the file in EXTRA_CA_CERTS_FILE`
  if (isCertificateProblem(reason)) return `it is not trusted (${reason}): check ${settings}`
  return `it cannot be reached (${reason}): check ${settings} and the network`
}
