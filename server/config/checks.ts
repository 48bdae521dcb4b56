// Finds settings that are invalid in combination.
import type { Config } from './settings.ts'

/** One message for each problem. Each begins with the setting to change. */
export function crossChecks(config: Config): string[] {
  const production = config.NODE_ENV === 'production'
  const redis = config.REDIS_URL || config.REDIS_SENTINELS || config.REDIS_CLUSTER
  const https = config.PUBLIC_URL?.startsWith('https:')
  const byKey = config.OIDC_CLIENT_AUTH === 'private_key_jwt'
  const checks: Record<string, boolean> = {
    'OIDC_CLIENT_SECRET is missing: client secret at the authority (or OIDC_CLIENT_AUTH=private_key_jwt with OIDC_CLIENT_KEY)':
      !byKey && !config.OIDC_CLIENT_SECRET,
    'OIDC_CLIENT_KEY is missing: OIDC_CLIENT_AUTH is private_key_jwt, so give the private key, or OIDC_CLIENT_KEY_FILE':
      byKey && !config.OIDC_CLIENT_KEY,
    'REDIS_URL is missing: sessions are stored in Redis (or set REDIS_SENTINELS, or REDIS_CLUSTER)':
      production && !redis,
    'SESSION_SECRETS is missing: create one with: openssl rand -base64 48':
      production && !config.SESSION_SECRETS,
    'REDIS_SENTINEL_NAME is missing: REDIS_SENTINELS needs it':
      Boolean(config.REDIS_SENTINELS) && !config.REDIS_SENTINEL_NAME,
    'TRUST_PROXY is missing: PUBLIC_URL is https, so set the address of the TLS proxy, e.g. 10.0.0.0/8 (otherwise the log and the rate limits use the address of the proxy for all clients)':
      Boolean(https) && !config.TRUST_PROXY?.length,
    'OIDC_SCOPES must contain openid: otherwise the authority does not say who signed in':
      config.OIDC_SCOPES?.split(' ').includes('openid') === false,
    'SESSION_ABSOLUTE_SECONDS must not be below SESSION_IDLE_SECONDS':
      config.SESSION_ABSOLUTE_SECONDS < config.SESSION_IDLE_SECONDS,
    'METRICS_PORT must differ from PORT: browsers must not read health and metrics':
      config.PORT !== 0 && config.PORT === config.METRICS_PORT,
    'SHUTDOWN_DEADLINE_SECONDS must be above SHUTDOWN_DELAY_SECONDS: running calls need time to finish':
      config.SHUTDOWN_DEADLINE_SECONDS <= config.SHUTDOWN_DELAY_SECONDS
  }
  const problems = Object.keys(checks).filter((problem) => checks[problem])
  return production ? [...problems, ...unencryptedAddresses(config)] : problems
}

/** Addresses to which tokens or cookies would be sent unencrypted. */
function unencryptedAddresses(config: Config): string[] {
  const { OIDC_ISSUER, PUBLIC_URL, UPSTREAM_URL, REMOTE_URL, UPSTREAMS, HTTP_HOSTS = [] } = config
  const overrides = Object.entries(UPSTREAMS)
    .filter(([, address]) => address !== UPSTREAM_URL)
    .map(([api, address]) => [`UPSTREAM_${api}_URL`, address] as const)
  const addresses = [...Object.entries({ PUBLIC_URL, OIDC_ISSUER, UPSTREAM_URL, REMOTE_URL }), ...overrides]
  return addresses
    .filter(([, address]) => address?.startsWith('http:'))
    .map(([name, address]) => [name, new URL(address as string).hostname.replace(/^\[|\]$/g, '')] as const)
    .filter(([, host]) => !isThisMachine(host) && !HTTP_HOSTS.includes(host))
    .map(
      ([name, host]) =>
        `${name} is http://${host}, which receives tokens unencrypted: use https://, or add ${host} to HTTP_HOSTS if the network is private`
    )
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host)
}
