// Checks for `--check` and at startup whether OIDC_ISSUER is right and the authority accepts the client.
import { distance } from 'fastest-levenshtein'
import { createAuthority, RefreshRefused } from '../auth/authority/oidc-client.ts'
import type { Config } from '../config/settings.ts'
import { causesOf, NO_ANSWER, networkReason, oauthCodeOf } from '../error-causes.ts'
import type { Clock } from '../types.ts'
import type { Finding } from './finding.ts'
import { networkRemedy } from './remedies.ts'

const TIMEOUT_MS = 5_000
/** The number of changed characters up to which a scope is taken for a misspelt one. */
const TYPO_DISTANCE_MAX = 2
const DISCOVERY = '/.well-known/openid-configuration'
/** OAuth errors about the client itself (RFC 6749, section 5.2). */
const ABOUT_THE_CLIENT = ['invalid_client', 'unauthorized_client']
/** Endpoints without which nobody can sign in (OpenID Connect Discovery 1.0, section 3). */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri']

export async function checkAuthority(config: Config, clock: Clock): Promise<Finding[]> {
  const problem = await issuerProblem(config.OIDC_ISSUER)
  const issuer = { what: 'authority', where: config.OIDC_ISSUER, problem }
  if (problem !== null) return [issuer]
  const client = {
    what: 'client at the authority',
    where: config.OIDC_CLIENT_ID,
    problem: await clientProblem(config, clock)
  }
  // An authority that does not know the client refuses each sign-in anyway.
  if (client.problem !== null) return [issuer, client]
  const signIn = {
    what: 'sign-in at the authority',
    where: `${config.PUBLIC_URL}/callback`,
    problem: await signInProblem(config, clock)
  }
  return [issuer, client, signIn]
}

/** The problem of the discovery document and its fix; null if there is none (OpenID Connect Discovery 1.0, section 4). */
export async function issuerProblem(issuer: string): Promise<string | null> {
  try {
    const address = issuer.replace(/\/+$/, '') + DISCOVERY
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const document = (await answer.json().catch(() => null)) as Record<string, unknown> | null
    if (answer.status >= 500) return `it fails: ${address} answers ${answer.status}`
    if (!answer.ok || document === null)
      return `${address} answers ${answer.status}${answer.ok ? ' without JSON' : ''}: OIDC_ISSUER must be the address of the issuer`
    const documentIssuer = URL.parse(String(document.issuer))?.href
    if (documentIssuer !== new URL(issuer).href)
      return `its issuer is ${document.issuer}, but OIDC_ISSUER is ${issuer}: both must be equal`
    const missingEndpoints = ENDPOINTS.filter((endpoint) => typeof document[endpoint] !== 'string')
    return missingEndpoints.length === 0
      ? null
      : `its discovery document lacks ${missingEndpoints.join(', ')}: OIDC_ISSUER must be an OpenID provider with the code flow`
  } catch (error) {
    return networkRemedy(error, 'OIDC_ISSUER')
  }
}

/** Describes a failed discovery and its fix. */
export function authorityRemedy(error: unknown): string {
  const reason = networkReason(error)
  return reason.startsWith('OAUTH_')
    ? `its discovery document is invalid (${reason}): check OIDC_ISSUER; --check shows details`
    : networkRemedy(error, 'OIDC_ISSUER')
}

async function clientProblem(config: Config, clock: Clock): Promise<string | null> {
  const refusal = await refusalOf(config, clock)
  if (refusal === null) return null
  const { OIDC_CLIENT_AUTH } = config
  const otherMethods = { basic: 'post', post: 'basic' } as const
  const keySetting = OIDC_CLIENT_AUTH === 'private_key_jwt' ? 'OIDC_CLIENT_KEY' : 'OIDC_CLIENT_SECRET'
  const settings = `check OIDC_CLIENT_ID, OIDC_CLIENT_AUTH and ${keySetting}`
  if (!refusal.aboutClient)
    return `the token endpoint ${refusal.reason === NO_ANSWER ? 'is slow' : 'fails'} (${refusal.reason}): the client cannot be checked`
  if (OIDC_CLIENT_AUTH === 'private_key_jwt') return `it is rejected (${refusal.reason}): ${settings}`
  // Some authorities do not decode the header as RFC 6749, section 2.3.1 requires; some support only one method.
  const otherMethod = otherMethods[OIDC_CLIENT_AUTH]
  const isAccepted = (await refusalOf({ ...config, OIDC_CLIENT_AUTH: otherMethod }, clock)) === null
  return isAccepted
    ? `it is rejected with OIDC_CLIENT_AUTH=${OIDC_CLIENT_AUTH} (${refusal.reason}): set OIDC_CLIENT_AUTH=${otherMethod}, which works`
    : `it is rejected (${refusal.reason}): ${settings}`
}

/**
 * Asks for a sign-in without showing a page (`prompt=none`, OpenID Connect Core 1.0, section 3.1.2.1). An authority that accepts
 * redirect URI and scopes redirects to the gateway, usually with the error that nobody has signed in.
 */
async function signInProblem(config: Config, clock: Clock): Promise<string | null> {
  const authority = createAuthority(config, { clock, localClock: clock, timeoutMs: TIMEOUT_MS })
  const { scopes_supported: supportedScopes } = await authority.metadata()
  const misspeltScope = Array.isArray(supportedScopes)
    ? misspeltIn(config.OIDC_SCOPES, supportedScopes)
    : null
  if (misspeltScope !== null) return misspeltScope
  const url = new URL(
    await authority.signInUrl({ state: 'none', nonce: 'none', verifier: 'none'.repeat(12) })
  )
  url.searchParams.set('prompt', 'none')
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null
  )
  await answer?.body?.cancel()
  if (answer === null || answer.status >= 500)
    return 'its authorization endpoint fails: the redirect URI cannot be checked'
  const error = URL.parse(answer.headers.get('location') ?? '', url.href)?.searchParams.get('error')
  if (error === 'invalid_scope')
    return `the authority rejects the scopes (invalid_scope): check OIDC_SCOPES, and that the client may use them`
  if (error === 'unauthorized_client' || error === 'unsupported_response_type')
    return `the authority rejects the sign-in (${error}): allow the client the code flow`
  return answer.status >= 400
    ? `the authority does not accept this redirect URI (status ${answer.status}): register it there, or check PUBLIC_URL`
    : null
}

/** Names the first scope that the authority does not list although it lists a similar one. Authorities need not list all scopes. */
function misspeltIn(scopes: string, supportedScopes: readonly string[]): string | null {
  for (const scope of scopes.split(' ')) {
    if (supportedScopes.includes(scope)) continue
    const similarScope = supportedScopes.find((supported) => distance(scope, supported) <= TYPO_DISTANCE_MAX)
    if (similarScope !== undefined)
      return `the authority does not know the scope ${scope}: did you mean ${similarScope} in OIDC_SCOPES?`
  }
  return null
}

interface Refusal {
  reason: string
  aboutClient: boolean
}

/**
 * The authority's reason to reject the client; null if it accepts it. Sends an invalid code and an invalid refresh token,
 * because some authorities check one of them before the client.
 */
async function refusalOf(config: Config, clock: Clock): Promise<Refusal | null> {
  const authority = createAuthority(config, { clock, localClock: clock, timeoutMs: TIMEOUT_MS })
  const tokens = { access: '', expiresAt: 0, renewAt: 0, refresh: 'none', idToken: null }
  const checks = { state: 'none', nonce: 'none', verifier: 'none'.repeat(12) }
  const withCode = async () => {
    // The setting OIDC_ISSUER may lack the trailing slash.
    const { issuer } = await authority.metadata()
    await authority.finishSignIn(
      `${new URLSearchParams({ code: 'none', state: 'none', iss: issuer })}`,
      checks
    )
  }
  // Sends the code first, because a refresh has a longer timeout.
  const codeRefusal = await withCode().then(() => null, refusalIn)
  return codeRefusal ?? (await authority.refresh(tokens, 'nobody').then(() => null, refusalIn))
}

/** Null for an OAuth error that is not about the client: then the authority accepts the client. */
function refusalIn(error: unknown): Refusal | null {
  const causes = causesOf(error)
  const code = oauthCodeOf(error)
  if (code !== undefined) return ABOUT_THE_CLIENT.includes(code) ? { reason: code, aboutClient: true } : null
  const status = causes.map((cause) => cause.status).findLast((code) => typeof code === 'number')
  if (status === 401) return { reason: 'status 401', aboutClient: true }
  if (error instanceof RefreshRefused || status === 400) return null
  const reason = status === undefined || status === 503 ? networkReason(error) : `status ${status}`
  return { reason, aboutClient: false }
}
