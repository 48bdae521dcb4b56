// Calls the OIDC authority (code flow with PKCE, refresh, revocation, end of session) with openid-client. Runs discovery only
// when first needed, so that the gateway starts and sessions continue while the authority is unreachable.
import * as oidc from 'openid-client'
import type { Config } from '../../config/settings.ts'
import { causesOf } from '../../error-causes.ts'
import { problems } from '../../errors.ts'
import type { AuthorityEndpoint } from '../../observability/recorder.ts'
import type { Clock } from '../../types.ts'
import type { Tokens } from '../sessions/store.ts'
import { clientAuthOf } from './client-auth.ts'
import { isRefusal, isTrouble } from './failures.ts'
import { checkIdToken } from './id-token.ts'
import { createVerifyJwt } from './jwks.ts'
import { sharedCall } from './shared-call.ts'

/** Time limit of a refresh: longer, because an aborted refresh may still succeed, and the new tokens would be lost. */
const REFRESH_TIMEOUT_SECONDS = 20
/** An answer within this time shows that the authority can be reached. */
const ANSWER_FRESH_MS = 10_000
/** Lifetime of an access token without `expires_in` (RFC 6749, section 5.1 only recommends `expires_in`). */
const DEFAULT_LIFE_SECONDS = 300
/** Matches tokens that a header field can contain. RFC 6750, section 2.1 allows fewer characters. */
const SENDABLE = /^[\x21-\x7e]+$/
/** Tokens are renewed in the last fifth of their lifetime, at most a minute before they expire. */
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

/** The authority refused to refresh the tokens: the session is over. */
export class RefreshRefused extends Error {}
/** There is no refresh token: the session ends with its access token. */
export class NoRefreshToken extends RefreshRefused {}

/** Each method throws a 503 problem if the authority cannot be reached, unless its comment says otherwise. */
export type Authority = ReturnType<typeof createAuthority>

/** Receives the status of each call, undefined without an answer, and its duration in milliseconds. */
type Observe = (endpoint: AuthorityEndpoint, status: number | undefined, ms: number) => void

interface Options {
  /** For the expiry of tokens, which all replicas compare. */
  clock: Clock
  /** For times in the authority's tokens. */
  localClock: Clock
  /** Time limit of every call except a refresh. */
  timeoutMs: number
  observe?: Observe
}

export function createAuthority(
  config: Config,
  { clock, localClock, timeoutMs, observe = () => {} }: Options
) {
  const redirectUri = `${config.PUBLIC_URL}/callback`
  let answeredAt = Number.NEGATIVE_INFINITY
  const fetchFor = createFetchFor(timeoutMs, (endpoint, status, ms) => {
    if (status !== undefined && status < 500) answeredAt = localClock()
    observe(endpoint, status, ms)
  })
  const discovery = sharedCall(() => discover(config, fetchFor), localClock)
  let discovered: oidc.Configuration | null = null

  async function authority(): Promise<oidc.Configuration> {
    discovered ??= await discovery()
    return discovered
  }
  /** The authority's discovery document. */
  const metadata = async (): Promise<oidc.ServerMetadata> => (await authority()).serverMetadata()
  const verify = createVerifyJwt({ metadata, fetchKeys: fetchFor(() => 'keys'), timeoutMs }, localClock)

  const probe = sharedCall(
    () =>
      discover(config, fetchFor).catch((error) => {
        if (causesOf(error).some(({ name }) => name === 'TimeoutError')) throw error
        // The authority may have closed an idle connection just when the call began.
        return discover(config, fetchFor)
      }),
    localClock
  )

  return {
    metadata,
    verify,
    /**
     * Resolves if the authority has answered within 10 s or answers now. To redirect people to an authority that is away would
     * show them their browser's error page.
     */
    async reach(): Promise<void> {
      await authority()
      if (Math.abs(localClock() - answeredAt) > ANSWER_FRESH_MS) await probe()
    },
    async signInUrl({ state, nonce, verifier }: SignInChecks): Promise<string> {
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
    /** Exchanges the code of the callback's query. Rejects if the answer does not match the checks. */
    async finishSignIn(query: string, { state, nonce, verifier }: SignInChecks): Promise<SignedIn> {
      // The redirect URI is the configured one, never taken from Host or X-Forwarded-*.
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
      const { id_token: idToken, access_token: accessToken } = answer
      if (!claims || !idToken) throw new Error('the authority sent no ID token')
      await checkIdToken(idToken, accessToken, { clientId: config.OIDC_CLIENT_ID, verify, localClock })
      return {
        tokens: tokensOf(answer, null, clock()),
        subject: claims.sub,
        authoritySessionId: typeof claims.sid === 'string' ? claims.sid : null
      }
    },
    /** Returns new tokens. Throws RefreshRefused if the authority refuses. */
    async refresh(tokens: Tokens, subject: string): Promise<Tokens> {
      if (tokens.refresh === null) throw new NoRefreshToken('there is no refresh token')
      const configuration = await authority()
      try {
        // Don't verify the refreshed ID token: it comes directly from the authority and only its `sub` is used (OpenID Connect
        // Core, section 3.1.3.7, 6). If fetching keys failed, the new tokens would be lost.
        const answer = await oidc.refreshTokenGrant(configuration, tokens.refresh)
        const { sub = subject } = answer.claims() ?? {}
        if (sub !== subject) throw new RefreshRefused('the refreshed tokens belong to another user')
        return tokensOf(answer, tokens, clock())
      } catch (error) {
        if (error instanceof RefreshRefused) throw error
        throw isRefusal(error)
          ? new RefreshRefused('the authority refused', { cause: error })
          : problems.authorityUnavailable(error)
      }
    },
    /**
     * Revokes the tokens and further refresh tokens (RFC 7009). Never rejects; false if a revocation failed. Some authorities
     * end a person's whole session when any of its refresh tokens is revoked.
     */
    async revoke(
      tokens: Pick<Tokens, 'access' | 'refresh'> | null,
      furtherRefresh: readonly string[] = []
    ): Promise<boolean> {
      const configuration = await authority().catch(() => null)
      if (!configuration?.serverMetadata().revocation_endpoint) return configuration !== null
      const refresh = [tokens?.refresh, ...furtherRefresh].map((token) => ({ token, hint: 'refresh_token' }))
      const answers = await Promise.allSettled(
        [...refresh, { token: tokens?.access, hint: 'access_token' }].map(({ token, hint }) =>
          token == null ? undefined : oidc.tokenRevocation(configuration, token, { token_type_hint: hint })
        )
      )
      return answers.every(({ status }) => status === 'fulfilled')
    },
    /** The address where the browser ends its session at the authority; null if the authority has none. */
    async endSessionUrl(tokens: Tokens | null): Promise<string | null> {
      const configuration = await authority().catch(() => null)
      if (!configuration?.serverMetadata().end_session_endpoint) return null
      return oidc.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: `${config.PUBLIC_URL}/signed-out`,
        // `state` is optional (OpenID Connect RP-Initiated Logout 1.0, section 2), but some providers need it to redirect.
        state: oidc.randomState(),
        ...(tokens?.idToken ? { id_token_hint: tokens.idToken } : {})
      }).href
    }
  }
}

type FetchFor = ReturnType<typeof createFetchFor>

/** Creates the `fetch` functions of endpoints, which observe each call and abort it after the time limit, unless it is a refresh. */
function createFetchFor(timeoutMs: number, observe: Observe) {
  return (endpointOf: (url: string) => AuthorityEndpoint) =>
    async (url: string, options: Omit<RequestInit, 'body'> & { body?: unknown } = {}): Promise<Response> => {
      const { body, signal } = options
      const isRefresh = body instanceof URLSearchParams && body.get('grant_type') === 'refresh_token'
      const signals = isRefresh ? [] : [AbortSignal.timeout(timeoutMs)]
      if (signal) signals.push(signal)
      const startedAt = performance.now()
      let status: number | undefined
      try {
        const answer = await fetch(url, { ...(options as RequestInit), signal: AbortSignal.any(signals) })
        status = answer.status
        return answer
      } finally {
        observe(endpointOf(url), status, performance.now() - startedAt)
      }
    }
}

async function discover(config: Config, fetchFor: FetchFor): Promise<oidc.Configuration> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID } = config
  const client = await oidc.discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, undefined, clientAuthOf(config), {
    timeout: REFRESH_TIMEOUT_SECONDS,
    execute: OIDC_ISSUER.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
    [oidc.customFetch]: fetchFor(() => 'discovery')
  })
  const { revocation_endpoint } = client.serverMetadata()
  client[oidc.customFetch] = fetchFor((url) => (url === revocation_endpoint ? 'revocation' : 'token'))
  return client
}

function tokensOf(answer: oidc.TokenEndpointResponse, previous: Tokens | null, issuedAt: number): Tokens {
  const { access_token: access, expires_in: lifeSeconds = 0, refresh_token, id_token } = answer
  if (!SENDABLE.test(access)) throw new Error('the access token cannot be sent in a header')
  const lifeMs = (lifeSeconds > 0 ? lifeSeconds : DEFAULT_LIFE_SECONDS) * 1000
  const expiresAt = issuedAt + lifeMs
  return {
    access,
    issuedAt,
    expiresAt,
    renewAt: expiresAt - Math.min(RENEW_AHEAD_MS, lifeMs / RENEW_AHEAD_PART),
    refresh: refresh_token ?? previous?.refresh ?? null,
    idToken: id_token ?? previous?.idToken ?? null
  }
}
