// `npm start -- --check`: whether the gateway would work with these settings, told as a table. It looks at Redis, the
// authority and the upstreams as the gateway would, and changes nothing there.
import { createAuthority, RefreshRefused } from './auth/oidc.ts'
import type { Config } from './config.ts'
import { shownConfig } from './config-shown.ts'
import { connectRedis } from './plugins/redis.ts'
import type { Clock, Log } from './types.ts'
import { reasonOf, upstreamAddresses, whyUnreachable } from './upstreams/reachable.ts'

export interface Finding {
  what: string
  where: string
  /** What to change; null when all is well. */
  problem: string | null
}

const TIMEOUT_MS = 5_000
const DISCOVERY = '/.well-known/openid-configuration'

/** Looks at everything that the gateway needs. Never rejects. */
export async function check(config: Config, clock: Clock, log: Log): Promise<Finding[]> {
  const [redis, authority, upstreams] = await Promise.all([
    checkRedis(config, log),
    checkAuthority(config, clock),
    checkUpstreams(config)
  ])
  return [...redis, ...authority, ...upstreams]
}

async function checkRedis(config: Config, log: Log): Promise<Finding[]> {
  const { REDIS_URL, REDIS_SENTINELS, REDIS_CLUSTER } = shownConfig(config)
  const addresses = config.REDIS_SENTINELS ?? config.REDIS_CLUSTER
  const where = addresses?.map(({ host, port }) => `${host}:${port}`).join(', ') ?? REDIS_URL
  if (where === undefined) return []
  const setting = REDIS_SENTINELS ? 'REDIS_SENTINELS' : REDIS_CLUSTER ? 'REDIS_CLUSTER' : 'REDIS_URL'
  return [{ what: 'Redis', where: String(where), problem: await redisProblem(config, setting, log) }]
}

async function redisProblem(config: Config, setting: string, log: Log): Promise<string | null> {
  try {
    const redis = await connectRedis(config, log)
    const memory = await redis?.info('memory')
    redis?.disconnect()
    const policy = /maxmemory_policy:(\S+)/.exec(memory ?? '')?.[1]
    const limited = !/maxmemory:0\s/.test(memory ?? '')
    return limited && policy?.startsWith('allkeys')
      ? `its maxmemory-policy ${policy} throws sessions away: set it to noeviction`
      : null
  } catch (error) {
    return redisRemedy(error, setting)
  }
}

/** What to do about a Redis that did not take us, by what it said. */
export function redisRemedy(error: unknown, setting: string): string {
  const reason = (error as Error).message
  return /NOAUTH|WRONGPASS|invalid password/i.test(reason)
    ? `it wants another password: check REDIS_PASSWORD, or the one in REDIS_URL (${reason})`
    : `it does not answer: check ${setting}, and that it can be reached from here (${reason})`
}

async function checkAuthority(config: Config, clock: Clock): Promise<Finding[]> {
  const problem = await issuerProblem(config.OIDC_ISSUER)
  const issuer = { what: 'authority', where: config.OIDC_ISSUER, problem }
  if (problem !== null) return [issuer]
  const client = { what: 'client at the authority', where: config.OIDC_CLIENT_ID }
  return [issuer, { ...client, problem: await clientProblem(config, clock) }]
}

/** Null when the authority describes itself as OpenID Connect Discovery 1.0 §4 wants it; otherwise what to change. */
export async function issuerProblem(issuer: string): Promise<string | null> {
  try {
    const address = issuer.replace(/\/+$/, '') + DISCOVERY
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const document = (await answer.json().catch(() => null)) as { issuer?: unknown } | null
    if (!answer.ok || document === null)
      return `${address} answers ${answer.status}${answer.ok ? ' without JSON' : ''}: OIDC_ISSUER must be the address of the issuer itself`
    const named = URL.parse(String(document.issuer))?.href
    return named === new URL(issuer).href
      ? null
      : `it calls itself ${document.issuer}: set OIDC_ISSUER to exactly that`
  } catch (error) {
    return `it cannot be reached (${reasonOf(error)}): check OIDC_ISSUER, and that it can be reached from here`
  }
}

/** A refresh token that nobody has issued is refused for itself alone, if the client is known. */
async function clientProblem(config: Config, clock: Clock): Promise<string | null> {
  const tokens = { access: '', expiresAt: 0, renewAt: 0, refresh: 'none', idToken: null }
  try {
    await createAuthority(config, clock).refresh(tokens, 'nobody')
    return null
  } catch (error) {
    if (error instanceof RefreshRefused) return null
    const { cause } = error as { cause?: { error?: string; status?: number; message?: string } }
    const status = cause?.status === undefined ? undefined : `status ${cause.status}`
    const reason = cause?.error ?? status ?? cause?.message ?? (error as Error).message
    return `it is refused (${reason}): check OIDC_CLIENT_ID, OIDC_CLIENT_AUTH and the secret or key`
  }
}

async function checkUpstreams(config: Config): Promise<Finding[]> {
  const probes = [...upstreamAddresses(config)].map(async ([where, settings]) => {
    const why = await whyUnreachable(where, TIMEOUT_MS)
    const remedy = `it cannot be reached (${why}): check ${settings.join(', ')}, and that it can be reached from here`
    return { what: 'upstream', where, problem: why === null ? null : remedy }
  })
  return Promise.all(probes)
}

/** A line for each finding, in columns. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ what, where, problem }) => [what, where, problem ?? 'ok'] as const)
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  const lines = rows.map(([what, where, result]) =>
    [what.padEnd(width(0)), where.padEnd(width(1)), result].join('   ')
  )
  return lines.join('\n')
}
