// The hash by which an ID token names the access token that it came with.
import { createHash } from 'node:crypto'

/**
 * `at_hash` (OpenID Connect Core, section 3.1.3.6): the left half of the access token's hash, by the hash of the ID token's own
 * algorithm; null for one whose hash nobody has agreed on.
 */
export function leftHalfOfHash(accessToken: string, alg: string | undefined): string | null {
  const bits = alg === 'EdDSA' || alg === 'Ed25519' ? '512' : /^[REP]S(256|384|512)$/.exec(alg ?? '')?.[1]
  if (bits === undefined) return null
  const digest = createHash(`sha${bits}`).update(accessToken).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
