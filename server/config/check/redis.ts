// What `--check` and the start find of Redis: whether it is there, takes us, can be written, and keeps what it holds.
import { Redis, type RedisOptions } from 'ioredis'
import { connectRedis, credentials, proveRedis, RedisUnfit, sentinelCredentials } from '../../redis.ts'
import type { Log } from '../../types.ts'
import { causesOf, type Finding, networkReason, networkRemedy } from '../remedies.ts'
import type { Config } from '../settings.ts'
import { shownConfig } from '../shown.ts'

/** How Redis says that it does not know us (its ACL, and `requirepass`). */
const REFUSED = /NOAUTH|WRONGPASS|invalid (?:username-)?password|AUTH failed/i
const ASKED_WITHIN_MS = 2_000

export async function checkRedis(config: Config, log: Log): Promise<Finding[]> {
  const where = addressOf(config)
  return where === null ? [] : [{ what: 'Redis', where, problem: await redisProblem(config, log) }]
}

function addressOf(config: Config): string | null {
  const addresses = config.REDIS_SENTINELS ?? config.REDIS_CLUSTER
  const listed = addresses?.map(({ host, port }) => `${host}:${port}`).join(', ')
  return listed ?? (shownConfig(config).REDIS_URL as string | undefined) ?? null
}

async function redisProblem(config: Config, log: Log): Promise<string | null> {
  const ofSentinels = config.REDIS_SENTINELS ? await sentinelsProblem(config) : null
  if (ofSentinels !== null) return ofSentinels
  try {
    const redis = await connectRedis(config, log)
    if (redis === null) return null
    try {
      await proveRedis(redis)
      return evictionProblem(await redis.info('memory').catch(() => ''))
    } finally {
      redis.disconnect()
    }
  } catch (error) {
    return redisRemedy(error, config)
  }
}

function evictionProblem(memory: string): string | null {
  const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1] ?? ''
  const limited = !/maxmemory:0\s/.test(memory)
  return limited && /^(?:allkeys|volatile)/.test(policy)
    ? `its maxmemory-policy ${policy} throws sessions away: set it to noeviction`
    : null
}

/** What to do about a Redis that did not take us, by what it said. */
export function redisRemedy(error: unknown, config: Config): string {
  const setting = config.REDIS_SENTINELS
    ? 'REDIS_SENTINELS'
    : config.REDIS_CLUSTER
      ? 'REDIS_CLUSTER'
      : 'REDIS_URL'
  const said = causesOf(error)
    .flatMap(({ message, lastNodeError }) => [message, (lastNodeError as Error | undefined)?.message])
    .filter((text) => typeof text === 'string')
  const reason = said.at(-1) ?? networkReason(error)
  if (said.some((text) => REFUSED.test(text)))
    return `it wants another user name or password: check REDIS_USERNAME and REDIS_PASSWORD, or those in REDIS_URL (${reason})`
  if (said.some((text) => /cluster support disabled/i.test(text)))
    return 'it is no Cluster: set REDIS_URL in the place of REDIS_CLUSTER'
  if (said.some((text) => text.startsWith('NOPERM')))
    return `its user may not do what sessions need (${reason}): give it the keys and channels portal:*, or check REDIS_USERNAME`
  if (error instanceof RedisUnfit) return error.message
  return networkRemedy(Object.assign(new Error(reason), { code: codeOf(error) }), setting)
}

const codeOf = (error: unknown) => causesOf(error).find(({ code }) => typeof code === 'string')?.code

/** Null when a Sentinel knows the Redis; they have a user and a password of their own. */
async function sentinelsProblem(config: Config): Promise<string | null> {
  const name = config.REDIS_SENTINEL_NAME ?? ''
  const { sentinelUsername, sentinelPassword } = sentinelCredentials(config)
  const { tls } = credentials(config)
  const answers = await Promise.all(
    (config.REDIS_SENTINELS ?? []).map(({ host, port }) =>
      asked(
        {
          host,
          port,
          ...(sentinelUsername ? { username: sentinelUsername } : {}),
          ...(sentinelPassword ? { password: sentinelPassword } : {}),
          ...(tls ? { tls } : {})
        },
        name
      )
    )
  )
  if (answers.some((answer) => Array.isArray(answer))) return null
  if (answers.some((answer) => answer === null))
    return `its Sentinels know no Redis of the name ${name}: check REDIS_SENTINEL_NAME`
  const refusal = answers.find((answer) => REFUSED.test((answer as Error).message))
  return refusal === undefined
    ? networkRemedy(answers[0], 'REDIS_SENTINELS')
    : `its Sentinels want another user name or password: check REDIS_SENTINEL_USERNAME and REDIS_SENTINEL_PASSWORD (${(refusal as Error).message})`
}

/** The address that a Sentinel knows, null when it knows none, or why it did not answer. */
async function asked(
  options: Pick<RedisOptions, 'host' | 'port' | 'username' | 'password' | 'tls'>,
  name: string
): Promise<unknown> {
  const sentinel = new Redis({
    ...options,
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: ASKED_WITHIN_MS,
    commandTimeout: ASKED_WITHIN_MS,
    retryStrategy: () => null
  })
  let reason: Error | null = null
  sentinel.on('error', (error) => {
    reason = error
  })
  try {
    await sentinel.connect()
    return await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)
  } catch (error) {
    return reason ?? error
  } finally {
    sentinel.disconnect()
  }
}
