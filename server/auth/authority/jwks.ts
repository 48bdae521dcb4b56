// The authority's public keys. Known keys stay in use while the authority is unreachable. A token with an unknown key causes a
// fetch, at most one in five seconds.
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify
} from 'jose'
import type { ServerMetadata } from 'openid-client'
import type { Clock } from '../../types.ts'
import { sharedCall } from './shared-call.ts'

/** Asymmetric algorithms only: with HS256, anyone with the public key could sign; `none` does not sign at all. */
export const SIGNATURE_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA'
]

/** Types of public keys (RFC 7518, section 6.1, RFC 8037, section 2). */
const VERIFYING_TYPES: unknown[] = ['RSA', 'EC', 'OKP']

/** Minimum time between two fetches for unknown keys. Sign-ins just after a key change fail for this long at most. */
const COOLDOWN_MS = 5_000
/** Delay after a failed reload of known keys. */
const RELOAD_AGAIN_MS = 30_000
const RELOAD_EVERY_MS = 10 * 60_000
const TIMEOUT_MS = 5_000

export interface AuthorityKeys {
  issuer: string
  key: JWTVerifyGetKey
}

/** Verifies a JWT. Without a key id (RFC 7515, section 4.1.4), tries each key that fits its algorithm. */
export async function verifyJwt(
  token: string,
  key: JWTVerifyGetKey,
  options: JWTVerifyOptions
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, key, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const candidate of error) {
      try {
        return await jwtVerify(token, candidate, options)
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** The reason for a failed verification, without the token's content. */
export function whyUnverified(error: unknown): string {
  const { claim } = error as { claim?: unknown }
  return typeof claim === 'string' ? `its claim ${claim} is invalid` : 'it cannot be verified'
}

/** Throws a 503 problem until the keys have been fetched once. */
export type KeysOf = () => Promise<AuthorityKeys>

/** @param clock decides when keys are fetched again */
export function createAuthorityKeys(
  authority: { metadata: () => Promise<ServerMetadata>; fetchKeys?: FetchImplementation },
  clock: Clock
): KeysOf {
  let known: AuthorityKeys | null = null
  let fetchedAt = Number.NEGATIVE_INFINITY
  const fetching = sharedCall(fetchKeys, clock)

  async function fetchKeys(): Promise<AuthorityKeys> {
    const { issuer, jwks_uri } = await authority.metadata()
    if (!jwks_uri) throw new Error('its discovery document has no jwks_uri')
    const remote = createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: TIMEOUT_MS,
      ...(authority.fetchKeys && { [customFetch]: authority.fetchKeys })
    })
    await remote.reload()
    const { keys } = remote.jwks() ?? { keys: [] }
    // Treat an empty key set as a failure: an authority without keys cannot sign.
    if (!keys.some(({ kty }) => VERIFYING_TYPES.includes(kty)))
      throw new Error('its key set has no public key')
    known = { issuer, key: createLocalJWKSet({ keys }) }
    fetchedAt = clock()
    return known
  }

  /** Finds a token's key. Fetches the keys if it is unknown. */
  const findOrFetch =
    ({ issuer, key: find }: AuthorityKeys): JWTVerifyGetKey =>
    async (header, token) => {
      try {
        return await find(header, token)
      } catch (error) {
        const fetchable = error instanceof errors.JWKSNoMatchingKey && claimsIssuer(token.payload, issuer)
        if (!fetchable || clock() - fetchedAt < COOLDOWN_MS) throw error
      }
      const { key } = await fetching.run()
      return key(header, token)
    }

  return async () => {
    const current = known ?? (await fetching.run())
    // Drops keys that the authority has withdrawn. A failure keeps the known keys.
    const due = clock() - fetchedAt > RELOAD_EVERY_MS && clock() - fetching.failedAt > RELOAD_AGAIN_MS
    if (due) fetching.run().catch(() => {})
    return { issuer: current.issuer, key: findOrFetch(current) }
  }
}

/** Whether a token names the authority as its issuer. Other tokens cause no fetch. */
function claimsIssuer(payload: string | Uint8Array, issuer: string): boolean {
  try {
    return JSON.parse(Buffer.from(String(payload), 'base64url').toString()).iss === issuer
  } catch {
    return false
  }
}
