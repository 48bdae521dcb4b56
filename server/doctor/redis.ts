// Checks for `--check` and at startup whether Redis answers, accepts the login, accepts writes and evicts nothing.
import { TOLERANCE_SECONDS } from '../auth/authority/jwks.ts'
import type { Config } from '../config/settings.ts'
import { shownConfig } from '../config/shown.ts'
import { causesOf, networkReason } from '../error-causes.ts'
import { connectRedis } from '../redis.ts'
import { clockDifference, createRedisClock } from '../redis-clock.ts'
import { allProven, proveRedis, RedisForbids, RedisUnfit } from '../redis-proof.ts'
import { createReplicaMessages } from '../replica-messages.ts'
import type { Clock, Log } from '../types.ts'
import type { Finding } from './finding.ts'
import { networkRemedy } from './remedies.ts'

const SENTINEL_GRANT = 'allow it as .github/operations/running.md shows, or check REDIS_SENTINEL_USERNAME'
const GRANT = 'allow them as .github/operations/running.md shows under “Redis”, or check REDIS_USERNAME'
/** Redis's messages for a rejected login (ACL and `requirepass`). */
const LOGIN_REFUSED = /NOAUTH|WRONGPASS|invalid (?:username-)?password|AUTH failed/i

/** A Redis in protected mode says why before it ends the connection, but ioredis does not pass that on. */
const ENDED = ['EPIPE', 'ECONNRESET']

export async function checkRedis(config: Config, log: Log, clock: Clock = Date.now): Promise<Finding[]> {
  const where = addressOf(config)
  if (where === null) return []
  let offsetMs: number | null = null
  const problem = await redisProblem(config, clock, log, (ms) => {
    offsetMs = ms
  })
  const redis = { what: 'Redis', where, problem }
  return offsetMs === null ? [redis] : [redis, clockFinding(offsetMs)]
}

function addressOf(config: Config): string | null {
  const addresses = config.REDIS_SENTINELS ?? config.REDIS_CLUSTER
  const addressList = addresses?.map(({ host, port }) => `${host}:${port}`).join(', ')
  return addressList ?? (shownConfig(config).REDIS_URL as string | undefined) ?? null
}

function clockFinding(offsetMs: number): Finding {
  const where = `${(offsetMs / 1000).toFixed(1)} s to that of Redis`
  const difference = clockDifference(offsetMs)
  const refusesTokens = Math.abs(offsetMs) > TOLERANCE_SECONDS * 1000
  const problem = refusesTokens && difference ? `${difference}; otherwise the gateway refuses tokens` : null
  return { what: 'clock', where, problem, note: difference ?? undefined }
}

async function redisProblem(
  config: Config,
  clock: Clock,
  log: Log,
  onOffset: (ms: number) => void
): Promise<string | null> {
  try {
    const redis = await connectRedis(config, log)
    if (redis === null) return null
    const messages = createReplicaMessages(redis, log)
    try {
      const redisClock = createRedisClock(redis, { localClock: clock, log })
      await redisClock.synchronize()
      redisClock.close()
      onOffset(redisClock.offsetMs())
      await allProven(proveRedis(redis), messages.prove())
      return evictionProblem(await redis.info('memory').catch(() => ''))
    } finally {
      await messages.close()
      redis.disconnect()
    }
  } catch (error) {
    return redisRemedy(error, config)
  }
}

function evictionProblem(memory: string): string | null {
  const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1] ?? ''
  const isLimited = !/maxmemory:0\s/.test(memory)
  return isLimited && /^(?:allkeys|volatile)/.test(policy)
    ? `its maxmemory-policy ${policy} evicts sessions: set it to noeviction`
    : null
}

/** Describes a failed connection and its fix. */
export function redisRemedy(error: unknown, config: Config): string {
  const setting = config.REDIS_SENTINELS
    ? 'REDIS_SENTINELS'
    : config.REDIS_CLUSTER
      ? 'REDIS_CLUSTER'
      : 'REDIS_URL'
  const causes = causesOf(error)
  const messages = causes
    .flatMap(({ message, lastNodeError }) => [message, (lastNodeError as Error | undefined)?.message])
    .filter((text) => typeof text === 'string')
  const reason = messages.at(-1) ?? networkReason(error)
  const remedy = sentinelRemedy(reason, config)
  if (remedy !== null) return remedy
  if (messages.some((text) => LOGIN_REFUSED.test(text)))
    return `it rejects the user name or password (${reason}): check REDIS_USERNAME and REDIS_PASSWORD, or those in REDIS_URL`
  if (messages.some((text) => /cluster support disabled/i.test(text)))
    return 'it is not a Cluster: set REDIS_URL instead of REDIS_CLUSTER'
  if (
    causes.some((cause) => cause instanceof RedisForbids) ||
    messages.some((text) => text.startsWith('NOPERM'))
  )
    return `${reason.startsWith('NOPERM') ? `its user lacks permissions (${reason})` : reason}: ${GRANT}`
  if (error instanceof RedisUnfit) return error.message
  const code = codeOf(error)
  if (typeof code === 'string' && ENDED.includes(code))
    return `it ends the connection (${code}): check ${setting}, and that its user "default" has a password or is off, because Redis otherwise refuses other machines (protected mode)`
  return networkRemedy(Object.assign(new Error(reason), { code }), setting)
}

const codeOf = (error: unknown) => causesOf(error).find(({ code }) => typeof code === 'string')?.code

/** ioredis's message if no Sentinel returns the address of a Redis, with the last error if there is one. */
const WITHOUT_SENTINEL = /^All sentinels are unreachable.*?(?:Last error: (.*))?$/s

function sentinelRemedy(message: string, { REDIS_SENTINEL_NAME }: Config): string | null {
  const match = WITHOUT_SENTINEL.exec(message)
  if (match === null) return null
  const [, reason] = match
  if (reason === undefined || reason.includes('No such master'))
    return `its Sentinels do not know a Redis named ${REDIS_SENTINEL_NAME}: check REDIS_SENTINEL_NAME`
  if (reason.includes('NOPERM'))
    return `its Sentinels forbid what the gateway asks (${reason}): ${SENTINEL_GRANT}`
  return LOGIN_REFUSED.test(reason)
    ? `its Sentinels reject the user name or password (${reason}): check REDIS_SENTINEL_USERNAME and REDIS_SENTINEL_PASSWORD`
    : networkRemedy(new Error(reason), 'REDIS_SENTINELS')
}
