// Finds settings that are invalid in combination.
import type { Config } from './settings.ts'

/** One message for each problem. Each begins with the setting to change. */
export function crossChecks(config: Config): string[] {
  const problems = [
    ...clientProblems(config),
    ...redisProblems(config),
    ...addressProblems(config),
    ...timeProblems(config)
  ]
  return isProduction(config) ? [...problems, ...unencryptedAddresses(config)] : problems
}

/** What works but is probably a mistake. One message for each, which begins with the setting to change. */
export function configWarnings({ OIDC_SCOPES }: Config): string[] {
  const missing = NEEDED_SCOPES.filter((scope) => !isRequested(scope, OIDC_SCOPES.split(' ')))
  return missing.length === 0
    ? []
    : [`OIDC_SCOPES lacks ${missing.map((scope) => `${scope} (${SCOPE_PURPOSES[scope]})`).join(', ')}`]
}

const SCOPE_PURPOSES = {
  offline_access:
    'most authorities then give no refresh token, and people are signed out when their token expires',
  'ncp:read': 'the APIs refuse reading',
  'ncp:write': 'the APIs refuse changes'
} as const
const NEEDED_SCOPES = Object.keys(SCOPE_PURPOSES) as (keyof typeof SCOPE_PURPOSES)[]

/** Entra ID asks for a scope of an API by the API's address, as in `api://…/ncp:read`. */
const isRequested = (scope: string, requested: readonly string[]) =>
  requested.some((name) => name === scope || name.endsWith(`/${scope}`))

function isProduction({ NODE_ENV }: Config): boolean {
  return NODE_ENV === 'production'
}

function clientProblems(config: Config): string[] {
  const problems: string[] = []
  const usesKey = config.OIDC_CLIENT_AUTH === 'private_key_jwt'
  if (!usesKey && !config.OIDC_CLIENT_SECRET)
    problems.push(
      'OIDC_CLIENT_SECRET is missing: client secret at the authority (or OIDC_CLIENT_AUTH=private_key_jwt with OIDC_CLIENT_KEY)'
    )
  if (usesKey && !config.OIDC_CLIENT_KEY)
    problems.push(
      'OIDC_CLIENT_KEY is missing: OIDC_CLIENT_AUTH is private_key_jwt, so give the private key, or OIDC_CLIENT_KEY_FILE'
    )
  if (config.OIDC_SCOPES?.split(' ').includes('openid') === false)
    problems.push('OIDC_SCOPES must contain openid: otherwise the authority does not say who signed in')
  return problems
}

function redisProblems(config: Config): string[] {
  const problems: string[] = []
  const hasRedis = config.REDIS_URL || config.REDIS_SENTINELS || config.REDIS_CLUSTER
  if (isProduction(config) && !hasRedis)
    problems.push(
      'REDIS_URL is missing: sessions are stored in Redis (or set REDIS_SENTINELS, or REDIS_CLUSTER)'
    )
  if (isProduction(config) && !config.SESSION_SECRETS)
    problems.push('SESSION_SECRETS is missing: create one with: openssl rand -base64 48')
  if (config.REDIS_SENTINELS && !config.REDIS_SENTINEL_NAME)
    problems.push('REDIS_SENTINEL_NAME is missing: REDIS_SENTINELS needs it')
  return problems
}

function addressProblems(config: Config): string[] {
  const problems: string[] = []
  if (config.PUBLIC_URL?.startsWith('https:') && !config.TRUST_PROXY?.length)
    problems.push(
      'TRUST_PROXY is missing: PUBLIC_URL is https, so set the address of the TLS proxy, e.g. 10.0.0.0/8 (otherwise the log and the rate limits use the address of the proxy for all clients)'
    )
  if (config.PORT !== 0 && config.PORT === config.METRICS_PORT)
    problems.push('METRICS_PORT must differ from PORT: browsers must not read health and metrics')
  return problems
}

function timeProblems(config: Config): string[] {
  const problems: string[] = []
  if (config.SESSION_ABSOLUTE_SECONDS < config.SESSION_IDLE_SECONDS)
    problems.push('SESSION_ABSOLUTE_SECONDS must not be below SESSION_IDLE_SECONDS')
  if (config.SESSION_NOTICE_SECONDS >= config.SESSION_IDLE_SECONDS)
    problems.push('SESSION_NOTICE_SECONDS must be below SESSION_IDLE_SECONDS: the notice would never go away')
  if (config.SHUTDOWN_DEADLINE_SECONDS <= config.SHUTDOWN_DELAY_SECONDS)
    problems.push(
      'SHUTDOWN_DEADLINE_SECONDS must be above SHUTDOWN_DELAY_SECONDS: running calls need time to finish'
    )
  return problems
}

/** Addresses to which tokens or cookies would be sent unencrypted. */
function unencryptedAddresses(config: Config): string[] {
  const { OIDC_ISSUER, PUBLIC_URL, UPSTREAM_URL, REMOTE_URL, UPSTREAMS, HTTP_HOSTS = [] } = config
  const addresses: Record<string, string | undefined> = { PUBLIC_URL, OIDC_ISSUER, UPSTREAM_URL, REMOTE_URL }
  // Spans contain no secrets, but these headers do.
  if (config.OTEL_EXPORTER_OTLP_HEADERS)
    addresses.OTEL_EXPORTER_OTLP_ENDPOINT = config.OTEL_EXPORTER_OTLP_ENDPOINT
  for (const [api, address] of Object.entries(UPSTREAMS))
    if (address !== UPSTREAM_URL) addresses[`UPSTREAM_${api}_URL`] = address

  const problems: string[] = []
  for (const [name, address] of Object.entries(addresses)) {
    if (!address?.startsWith('http:')) continue
    const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
    if (isThisMachine(host) || HTTP_HOSTS.includes(host)) continue
    problems.push(
      `${name} is http://${host}, which receives tokens unencrypted: use https://, or add ${host} to HTTP_HOSTS if the network is private`
    )
  }
  return problems
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host)
}
