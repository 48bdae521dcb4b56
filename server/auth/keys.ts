// The authority's public keys, for tokens that others bring: access tokens of services, logout tokens. Known keys go on
// working while the authority is away; an unknown key id leads to one fetch at most in a while.
import {
  createRemoteJWKSet,
  errors,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify
} from 'jose'
import { problems } from '../errors.ts'
import type { Clock } from '../types.ts'
import type { Authority } from './oidc.ts'

/** Asymmetric ones only: with HS256, whoever knows the public key could sign; `none` is no signature at all. */
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

const COOLDOWN_MS = 30_000
const RELOAD_EVERY_MS = 10 * 60_000
const TIMEOUT_MS = 5_000
const FAILURE_REMEMBERED_MS = 1_000
const ABOUT_THE_TOKEN = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
  errors.JWSInvalid
]

export interface AuthorityKeys {
  issuer: string
  key: JWTVerifyGetKey
}

/**
 * Verifies a JWT. One that does not say which key signed it may be of any that fits its algorithm (RFC 7515 §4.1.4): they
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

/** Throws a 503 problem while the authority has never been reached. */
export type KeysOf = () => Promise<AuthorityKeys>

export function createAuthorityKeys(authority: Authority, clock: Clock): KeysOf {
  let failedAt = Number.NEGATIVE_INFINITY
  let known: { issuer: string; set: ReturnType<typeof createRemoteJWKSet>; loadedAt: number } | null = null

  /** Keys that cannot be fetched say nothing of a token, and are not asked for again at once. */
  const reachable =
    (set: JWTVerifyGetKey): JWTVerifyGetKey =>
    async (...parameters) => {
      if (clock() - failedAt < FAILURE_REMEMBERED_MS)
        throw problems.authorityUnavailable('its keys cannot be fetched')
      try {
        return await set(...parameters)
      } catch (error) {
        if (ABOUT_THE_TOKEN.some((kind) => error instanceof kind)) throw error
        failedAt = clock()
        throw problems.authorityUnavailable(error)
      }
    }

  return async () => {
    if (known === null) {
      const { issuer, jwks_uri } = await authority.metadata()
      if (!jwks_uri) throw problems.authorityUnavailable('its discovery names no keys')
      const options = {
        cooldownDuration: COOLDOWN_MS,
        cacheMaxAge: Number.POSITIVE_INFINITY,
        timeoutDuration: TIMEOUT_MS
      }
      known = { issuer, set: createRemoteJWKSet(new URL(jwks_uri), options), loadedAt: clock() }
    }
    const { issuer, set, loadedAt } = known
    if (clock() - loadedAt > RELOAD_EVERY_MS) {
      known.loadedAt = clock()
      // Keys that the authority has withdrawn go; while it is away the known ones stay.
      set.reload().catch(() => {})
    }
    return { issuer, key: reachable(set) }
  }
}
