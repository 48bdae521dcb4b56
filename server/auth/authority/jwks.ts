// The authority's public keys, for tokens that others bring: access tokens of services, logout tokens. Known keys verify
// whatever happens; only a token whose key is not among them causes a fetch, and seldom. What a token says is not read here.
import { setTimeout as wait } from 'node:timers/promises'
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
import type { Clock } from '../../types.ts'
import type { Authority } from './oidc-client.ts'
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

/** Of public keys (RFC 7518, section 6.1, RFC 8037, section 2). */
const VERIFYING_TYPES: unknown[] = ['RSA', 'EC', 'OKP']

/** Minimum time between two fetches for unknown keys; short, so that sign-ins just after a key change do not wait long. */
const COOLDOWN_MS = 5_000
/** After a failed reload of keys that are known. */
const RELOAD_AGAIN_MS = 30_000
const RELOAD_EVERY_MS = 10 * 60_000
const TIMEOUT_MS = 5_000

export interface AuthorityKeys {
  issuer: string
  key: JWTVerifyGetKey
}

/**
 * Verifies a JWT. One that does not say which key signed it may be of any that fits its algorithm (RFC 7515, section 4.1.4): they
 * are tried one after the other.
 */
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

/** Which claim, or what else, keeps a token from being verified; says nothing of its content. */
export function whyUnverified(error: unknown): string {
  const { claim } = error as { claim?: unknown }
  return typeof claim === 'string' ? `its ${claim} is not as it must be` : 'it does not verify'
}

/**
 * Throws a 503 problem while the keys have never been had.
 * @param patient whether a token of an unknown key waits for the next fetch, up to 5 s: for those that come straight from
 * the authority
 */
export type KeysOf = (patient?: boolean) => Promise<AuthorityKeys>

/** @param clock decides when keys are fetched again */
export function createAuthorityKeys(
  authority: Pick<Authority, 'metadata'> & { fetchKeys?: FetchImplementation },
  clock: Clock,
  pause: (ms: number) => Promise<unknown> = wait
): KeysOf {
  let known: AuthorityKeys | null = null
  let fetchedAt = Number.NEGATIVE_INFINITY
  /** A failure changes nothing of what is known. */
  const fetching = sharedCall(fetchKeys, clock)

  async function fetchKeys(): Promise<AuthorityKeys> {
    const { issuer, jwks_uri } = await authority.metadata()
    if (!jwks_uri) throw new Error('its discovery names no keys')
    const remote = createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: TIMEOUT_MS,
      ...(authority.fetchKeys && { [customFetch]: authority.fetchKeys })
    })
    await remote.reload()
    const { keys } = remote.jwks() ?? { keys: [] }
    // An authority without keys could not sign anything: treat an empty key set as a failure.
    if (!keys.some(({ kty }) => VERIFYING_TYPES.includes(kty))) throw new Error('its key set holds no key')
    known = { issuer, key: createLocalJWKSet({ keys }) }
    fetchedAt = clock()
    return known
  }

  const justFetched = () => clock() - fetchedAt < COOLDOWN_MS

  /** Of a token whose key is not known nothing can be said while the keys cannot be fetched. */
  const findOrFetch =
    (find: JWTVerifyGetKey, issuer: string, patient: boolean): JWTVerifyGetKey =>
    async (header, token) => {
      try {
        return await find(header, token)
      } catch (error) {
        const fetchable = error instanceof errors.JWKSNoMatchingKey && claimsIssuer(token.payload, issuer)
        if (!fetchable || (justFetched() && !patient)) throw error
      }
      if (justFetched()) await pause(fetchedAt + COOLDOWN_MS - clock())
      // Another call that waited may have fetched the keys by now.
      const { key } = known !== null && justFetched() ? known : await fetching.run()
      return key(header, token)
    }

  return async (patient = false) => {
    const { issuer, key } = known ?? (await fetching.run())
    // Keys that the authority has withdrawn go; while it is away the known ones stay.
    const due = clock() - fetchedAt > RELOAD_EVERY_MS && clock() - fetching.failedAt > RELOAD_AGAIN_MS
    if (due) fetching.run().catch(() => {})
    return { issuer, key: findOrFetch(key, issuer, patient) }
  }
}

/** Whether a token looks like one of the authority's: what does not causes no fetch. */
function claimsIssuer(payload: string | Uint8Array, issuer: string): boolean {
  try {
    return JSON.parse(Buffer.from(String(payload), 'base64url').toString()).iss === issuer
  } catch {
    return false
  }
}
