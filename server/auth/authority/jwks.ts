// Verifies tokens with the authority's public keys. Known keys stay in use while the authority is unreachable. A token with an
// unknown key causes a fetch of the keys, or waits for the next permitted fetch.
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
import { LRUCache } from 'lru-cache'
import type { ServerMetadata } from 'openid-client'
import type { Clock } from '../../types.ts'
import { sharedCall } from './shared-call.ts'

/** Asymmetric algorithms only: with HS256, anyone with the public key could sign; `none` does not sign at all. */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`))
ALGORITHMS.push('EdDSA')

/** Types of public keys (RFC 7518, section 6.1, RFC 8037, section 2). */
const VERIFYING_TYPES: unknown[] = ['RSA', 'EC', 'OKP']

/** Minimum time between two fetches for unknown keys of tokens that anyone can send. */
const COOLDOWN_MS = 5_000
/** Maximum number of tokens that wait for the next fetch. Further ones are refused at once. */
const WAITING_MAX = 1_000
/** Maximum number of remembered unknown keys. */
const UNKNOWN_MAX = 1_000
const RELOAD_EVERY_MS = 10 * 60_000

/**
 * Maximum difference between this machine's clock and the times in a token that the authority has just issued. Also allows for
 * one redirect.
 */
export const TOLERANCE_SECONDS = 600

interface VerifyOptions extends JWTVerifyOptions {
  /** The token comes directly from the authority, so an unknown key is always fetched. */
  fromAuthority?: true
}

/** Verifies the issuer, the signature and the given options. Throws a 503 problem until the keys have been fetched once. */
export type VerifyJwt = (token: string, options: VerifyOptions) => Promise<JWTVerifyResult>

/** The reason for a failed verification, without the token's content. */
export function whyUnverified(error: unknown): string {
  const { claim } = error as { claim?: unknown }
  return typeof claim === 'string' ? `its claim ${claim} is invalid` : 'it cannot be verified'
}

interface KeySet {
  issuer: string
  findKey: JWTVerifyGetKey
}

export function createVerifyJwt(
  authority: {
    metadata: () => Promise<ServerMetadata>
    fetchKeys?: FetchImplementation
    /** Time limit of fetching the keys. */
    timeoutMs: number
  },
  clock: Clock
): VerifyJwt {
  let keySet: KeySet | null = null
  let fetchedAt = Number.NEGATIVE_INFINITY
  const sharedFetch = sharedCall(fetchKeys, clock)
  const findNewKey = createNewKeys(fetchAfterCooldown, clock)
  let nextFetch: Promise<KeySet> | null = null

  async function fetchKeys(): Promise<KeySet> {
    const { issuer, jwks_uri } = await authority.metadata()
    if (!jwks_uri) throw new Error('its discovery document has no jwks_uri')
    const remote = createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: authority.timeoutMs,
      ...(authority.fetchKeys && { [customFetch]: authority.fetchKeys })
    })
    await remote.reload()
    const { keys } = remote.jwks() ?? { keys: [] }
    // Treat an empty key set as a failure: an authority without keys cannot sign.
    if (!keys.some(({ kty }) => VERIFYING_TYPES.includes(kty)))
      throw new Error('its key set has no public key')
    keySet = { issuer, findKey: createLocalJWKSet({ keys }) }
    fetchedAt = clock()
    return keySet
  }

  /** Fetches the keys when the cooldown has ended, once for all tokens that wait for it. */
  function fetchAfterCooldown(): Promise<KeySet> {
    const delayMs = COOLDOWN_MS - (clock() - fetchedAt)
    if (delayMs <= 0) return sharedFetch()
    nextFetch ??= wait(Math.min(delayMs, COOLDOWN_MS), undefined, { ref: false })
      .then(sharedFetch)
      .finally(() => {
        nextFetch = null
      })
    return nextFetch
  }

  return async (token, { fromAuthority, ...options }) => {
    const { issuer, findKey } = keySet ?? (await sharedFetch())
    // Fetches the keys again, because the authority may have withdrawn some. After a failure the known keys stay in use.
    if (Math.abs(clock() - fetchedAt) > RELOAD_EVERY_MS) sharedFetch().catch(() => {})
    const findOrFetch: JWTVerifyGetKey = async (header, jws) => {
      try {
        return await findKey(header, jws)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        if (!fromAuthority) return findNewKey(header, jws, error)
      }
      const newKeySet = await sharedFetch()
      return newKeySet.findKey(header, jws)
    }
    const checks = { issuer, algorithms: ALGORITHMS, currentDate: new Date(clock()), ...options }
    return jwtVerify(token, findOrFetch, checks).catch((error) => {
      // An ID token must name its key (OpenID Connect Core, section 10.1).
      if (fromAuthority || !(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
      return verifyWithAny(error, token, checks)
    })
  }
}

type KeyParameters = Parameters<JWTVerifyGetKey>

/**
 * Returns a function that finds the key of a token that anyone can send, after the next fetch. It throws `notFound` at once if
 * the last fetch did not find the key, or if too many tokens wait.
 */
function createNewKeys(fetchKeys: () => Promise<KeySet>, clock: Clock) {
  const unknownKeys = new LRUCache<string, true>({
    max: UNKNOWN_MAX,
    ttl: COOLDOWN_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  let waiting = 0

  return async (header: KeyParameters[0], jws: KeyParameters[1], notFound: errors.JWKSNoMatchingKey) => {
    const name = `${header.alg} ${header.kid}`
    if (unknownKeys.has(name) || waiting >= WAITING_MAX) throw notFound
    waiting += 1
    try {
      const { findKey } = await fetchKeys()
      return await findKey(header, jws)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) unknownKeys.set(name, true)
      throw error
    } finally {
      waiting -= 1
    }
  }
}

/** Tokens other than ID tokens may name no key (RFC 7515, section 4.1.4): tries each key that fits. */
async function verifyWithAny(
  keys: errors.JWKSMultipleMatchingKeys,
  token: string,
  checks: JWTVerifyOptions
): Promise<JWTVerifyResult> {
  for await (const key of keys) {
    try {
      return await jwtVerify(token, key, checks)
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}
