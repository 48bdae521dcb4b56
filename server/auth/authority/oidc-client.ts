// The OIDC authority (code flow with PKCE, refresh, revocation, end of session), over openid-client. Discovered when
// first needed, so that the gateway starts and live sessions go on while the authority is away.
import { createHash } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import type { Config } from '../../config/settings.ts'
import { problems } from '../../errors.ts'
import type { AuthorityEndpoint } from '../../observability/recorder.ts'
import type { Clock } from '../../types.ts'
import type { Tokens } from '../sessions/store.ts'
import { clientAuthOf } from './client-auth.ts'
import { isRefusal, isTrouble } from './failures.ts'
import { createAuthorityKeys, type KeysOf, SIGNATURE_ALGORITHMS } from './jwks.ts'

/** Every call but a refresh. */
const TIMEOUT_SECONDS = 5
/** A refresh that is given up may have been carried out: waiting is better than losing the new tokens. */
const REFRESH_TIMEOUT_SECONDS = 20
/** After a failed discovery the next one waits this long. */
const REDISCOVER_MS = 1_000
/** Life of an access token without `expires_in` (RFC 6749, section 5.1 only recommends `expires_in`). */
const DEFAULT_LIFE_SECONDS = 300
/** A sign-in takes the time of one redirect; the rest is for clocks that differ. */
const ID_TOKEN_AGE_MAX_SECONDS = 600
/** What may stand in a header field (RFC 6750, section 2.1, and a little more). */
const SENDABLE = /^[\x21-\x7e]+$/
/** Tokens are renewed in the last fifth of their life, at most a minute before its end. */
const RENEW_AHEAD_MS = 60_000
const RENEW_AHEAD_PART = 5

export interface SignInChecks {
  state: string
  nonce: string
  verifier: string
}

export interface SignedIn {
  tokens: Tokens
  subject: string
  authoritySessionId: string | null
}

/** The authority will not refresh these tokens any more: the session is over. */
export class RefreshRefused extends Error {}
/** There never was a refresh token: the session is over with its access token. */
export class NoRefreshToken extends RefreshRefused {}

export interface Authority {
  /** What discovery said of the authority. */
  metadata(): Promise<oidc.ServerMetadata>
  /** Its public keys. */
  keys: KeysOf
  /** Throws a 503 problem when the authority cannot be reached, like every method here. */
  signInUrl(checks: SignInChecks): Promise<string>
  /** Exchanges the code of the callback's query. Rejects when anything about it is not as asked for. */
  finishSignIn(query: string, checks: SignInChecks): Promise<SignedIn>
  /** New tokens. Throws RefreshRefused when the authority refuses, as opposed to being in trouble. */
  refresh(tokens: Tokens, subject: string): Promise<Tokens>
  /**
   * Tells the authority that the tokens, and further refresh tokens, are of no more use (RFC 7009). Never rejects; false when
   * it did not take all of it. Some authorities end a person's whole session at the client with any one of its refresh tokens.
   */
  revoke(
    tokens: Pick<Tokens, 'access' | 'refresh'> | null,
    furtherRefresh?: readonly string[]
  ): Promise<boolean>
  /** Where the browser ends its session at the authority; null when it has no such address. */
  endSessionUrl(tokens: Tokens | null): Promise<string | null>
}

/** Takes each answered call, or one without an answer, and how many milliseconds it took. */
type Observe = (endpoint: AuthorityEndpoint, status: number | undefined, ms: number) => void

export function createAuthority(config: Config, clock: Clock, observe: Observe = () => {}): Authority {
  const redirectUri = `${config.PUBLIC_URL}/callback`
  const clientAuth = clientAuthOf(config)
  const insecure = config.OIDC_ISSUER.startsWith('http:')

  const observed =
    (endpointOf: (url: string) => AuthorityEndpoint) =>
    async (url: string, options?: object): Promise<Response> => {
      const begun = performance.now()
      let status: number | undefined
      try {
        const answer = await fetch(url, options)
        status = answer.status
        return answer
      } finally {
        observe(endpointOf(url), status, performance.now() - begun)
      }
    }

  /** How openid-client calls the endpoints that were discovered. */
  function prepare(found: oidc.Configuration, timeoutSeconds: number): oidc.Configuration {
    const { revocation_endpoint } = found.serverMetadata()
    found.timeout = timeoutSeconds
    found[oidc.customFetch] = observed((url) => (url === revocation_endpoint ? 'revocation' : 'token'))
    return found
  }

  async function discover(): Promise<oidc.Configuration> {
    const found = await oidc.discovery(
      new URL(config.OIDC_ISSUER),
      config.OIDC_CLIENT_ID,
      undefined,
      clientAuth,
      {
        timeout: TIMEOUT_SECONDS,
        execute: insecure ? [oidc.allowInsecureRequests] : [],
        [oidc.customFetch]: observed(() => 'discovery')
      }
    )
    return prepare(found, TIMEOUT_SECONDS)
  }

  let discovered: Promise<oidc.Configuration> | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  /** One discovery for any number of callers; a failed one is not repeated at once. */
  async function authority(): Promise<oidc.Configuration> {
    if (discovered === null && clock() - failedAt < REDISCOVER_MS)
      throw problems.authorityUnavailable(failure)
    discovered ??= discover().catch((error) => {
      discovered = null
      failedAt = clock()
      failure = error
      throw problems.authorityUnavailable(error)
    })
    return discovered
  }

  async function metadata(): Promise<oidc.ServerMetadata> {
    return (await authority()).serverMetadata()
  }

  /** What openid-client leaves open: whose it is, what it is for, and that it was made just now (OpenID Connect Core, section 3.1.3.7). */
  function refuseOddIdToken(idToken: string, accessToken: string, claims: oidc.IDToken): void {
    const { sub, azp, iat, at_hash } = claims
    const { typ, alg } = decodeProtectedHeader(idToken)
    if (typ !== undefined && typ.toLowerCase() !== 'jwt')
      throw new Error(`a token of type ${typ} is no ID token`)
    if (sub === '') throw new Error('the ID token names nobody')
    if (azp !== undefined && azp !== config.OIDC_CLIENT_ID)
      throw new Error('the ID token is for another client')
    if (Math.abs(clock() / 1000 - iat) > ID_TOKEN_AGE_MAX_SECONDS)
      throw new Error('the ID token was not made just now')
    if (at_hash !== undefined && at_hash !== leftHalfOfHash(accessToken, alg))
      throw new Error('the ID token came with another access token')
  }

  // openid-client looks for a key that it does not know once a minute only.
  const keys = createAuthorityKeys({ metadata, fetchKeys: observed(() => 'keys') }, clock)
  async function refuseForeignSignature(idToken: string): Promise<void> {
    const { issuer, key } = await keys(true)
    // One that does not name its key is refused where several fit (OpenID Connect Core, section 10.1).
    await jwtVerify(idToken, key, {
      issuer,
      audience: config.OIDC_CLIENT_ID,
      algorithms: SIGNATURE_ALGORITHMS,
      currentDate: new Date(clock()),
      clockTolerance: ID_TOKEN_AGE_MAX_SECONDS
    })
  }

  let patient: oidc.Configuration | null = null
  /**
   * The same authority with more patience. A refreshed ID token comes straight from the authority and only its `sub` is
   * used (OpenID Connect Core, section 3.1.3.7, 6): fetching keys for it could lose tokens that are already exchanged.
   */
  async function patientAuthority(): Promise<oidc.Configuration> {
    if (patient !== null) return patient
    const known = await authority()
    patient = new oidc.Configuration(known.serverMetadata(), config.OIDC_CLIENT_ID, undefined, clientAuth)
    if (insecure) oidc.allowInsecureRequests(patient)
    return prepare(patient, REFRESH_TIMEOUT_SECONDS)
  }

  function tokensOf(answer: oidc.TokenEndpointResponse, before: Tokens | null): Tokens {
    if (!SENDABLE.test(answer.access_token)) throw new Error('the access token cannot be sent in a header')
    const lifeMs =
      ((answer.expires_in ?? 0) > 0 ? (answer.expires_in as number) : DEFAULT_LIFE_SECONDS) * 1000
    const issuedAt = clock()
    const expiresAt = issuedAt + lifeMs
    return {
      access: answer.access_token,
      issuedAt,
      expiresAt,
      renewAt: expiresAt - Math.min(RENEW_AHEAD_MS, lifeMs / RENEW_AHEAD_PART),
      refresh: answer.refresh_token ?? before?.refresh ?? null,
      idToken: answer.id_token ?? before?.idToken ?? null
    }
  }

  return {
    metadata,
    keys,
    async signInUrl({ state, nonce, verifier }) {
      const parameters = {
        ...config.OIDC_AUTHORIZATION_PARAMS,
        redirect_uri: redirectUri,
        scope: config.OIDC_SCOPES,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256'
      }
      return oidc.buildAuthorizationUrl(await authority(), parameters).href
    },
    async finishSignIn(query, { state, nonce, verifier }) {
      // The redirect URI is the configured one, never what Host or X-Forwarded-* claim.
      const callback = new URL(`${redirectUri}?${query}`)
      const answer = await oidc
        .authorizationCodeGrant(await authority(), callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true
        })
        .catch((error) => {
          throw isTrouble(error) ? problems.authorityUnavailable(error) : error
        })
      const claims = answer.claims()
      if (!claims || !answer.id_token) throw new Error('the authority sent no ID token')
      await refuseForeignSignature(answer.id_token)
      refuseOddIdToken(answer.id_token, answer.access_token, claims)
      const sid = claims.sid
      return {
        tokens: tokensOf(answer, null),
        subject: claims.sub,
        authoritySessionId: typeof sid === 'string' ? sid : null
      }
    },
    async refresh(tokens, subject) {
      if (tokens.refresh === null) throw new NoRefreshToken('there is no refresh token')
      const patient = await patientAuthority()
      try {
        const answer = await oidc.refreshTokenGrant(patient, tokens.refresh)
        const claims = answer.claims()
        if (claims && claims.sub !== subject)
          throw new RefreshRefused('the refreshed tokens are of somebody else')
        return tokensOf(answer, tokens)
      } catch (error) {
        throw isRefusal(error)
          ? new RefreshRefused('the authority refused', { cause: error })
          : asTrouble(error)
      }
    },
    async revoke(tokens, furtherRefresh = []) {
      const known = await authority().catch(() => null)
      if (known === null) return false
      if (!known.serverMetadata().revocation_endpoint) return true
      const revoke = (token: string | null | undefined, hint: string) =>
        token == null ? undefined : oidc.tokenRevocation(known, token, { token_type_hint: hint })
      const answers = await Promise.allSettled([
        ...[tokens?.refresh, ...furtherRefresh].map((token) => revoke(token, 'refresh_token')),
        revoke(tokens?.access, 'access_token')
      ])
      return answers.every(({ status }) => status === 'fulfilled')
    },
    async endSessionUrl(tokens) {
      const known = await authority().catch(() => null)
      if (!known?.serverMetadata().end_session_endpoint) return null
      return oidc.buildEndSessionUrl(known, {
        post_logout_redirect_uri: `${config.PUBLIC_URL}/signed-out`,
        // Optional (OpenID Connect RP-Initiated Logout 1.0, section 2), and without it some providers do not lead back.
        state: oidc.randomState(),
        ...(tokens?.idToken ? { id_token_hint: tokens.idToken } : {})
      }).href
    }
  }
}

/**
 * `at_hash` (OpenID Connect Core, section 3.1.3.6): the left half of the access token's hash, by the hash of the ID token's own
 * algorithm; null for an algorithm without an agreed hash.
 */
function leftHalfOfHash(accessToken: string, alg: string | undefined): string | null {
  const bits = alg === 'EdDSA' || alg === 'Ed25519' ? '512' : /^[REP]S(256|384|512)$/.exec(alg ?? '')?.[1]
  if (bits === undefined) return null
  const digest = createHash(`sha${bits}`).update(accessToken).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

function asTrouble(error: unknown): unknown {
  return error instanceof RefreshRefused ? error : problems.authorityUnavailable(error)
}
