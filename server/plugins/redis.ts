// Connects to Redis (one node, Sentinel or Cluster) so that trouble is quick and plain: a command fails within half a
// second, and nothing is queued while the connection is away (a queued command could be carried out after its caller
// was told that it failed).
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Config } from '../config.ts'
import type { Log } from '../types.ts'

const OPTIONS = {
  commandTimeout: 500,
  connectTimeout: 1_000,
  socketTimeout: 2_000,
  keepAlive: 5_000,
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  lazyConnect: true,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 500),
  // A failover leaves us at a replica: connect anew, and let the caller of this command decide.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY')
} satisfies RedisOptions

/** Opens the configured connection; null when none is configured. Rejects when Redis does not answer at the start. */
export async function connectRedis(config: Config, log: Log): Promise<Redis | Cluster | null> {
  const redis = open(config)
  if (redis === null) return null
  let reachable = true
  let reason: Error | null = null
  redis.on('error', (err) => {
    reason = err
    if (reachable) log.error({ err }, 'Redis is away')
    reachable = false
  })
  redis.on('ready', () => {
    if (!reachable) log.info('Redis is back')
    reachable = true
  })
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    // `connect` itself knows only that there is no connection.
    throw reason ?? error
  }
  return redis
}

function open({
  REDIS_SENTINELS,
  REDIS_SENTINEL_NAME,
  REDIS_CLUSTER,
  REDIS_URL,
  REDIS_PASSWORD
}: Config): Redis | Cluster | null {
  const login = credentials(REDIS_URL, REDIS_PASSWORD)
  if (REDIS_SENTINELS) {
    const name = REDIS_SENTINEL_NAME ?? 'mymaster'
    return new Redis({ ...OPTIONS, ...login, sentinels: REDIS_SENTINELS, name })
  }
  if (REDIS_CLUSTER) {
    const { enableOfflineQueue, lazyConnect, commandTimeout, ...node } = OPTIONS
    return new Cluster(REDIS_CLUSTER, {
      enableOfflineQueue,
      lazyConnect,
      clusterRetryStrategy: OPTIONS.retryStrategy,
      slotsRefreshTimeout: 1_000,
      redisOptions: { ...node, commandTimeout, ...login }
    })
  }
  return REDIS_URL ? new Redis(REDIS_URL, { ...OPTIONS, ...login }) : null
}

/** With Sentinel or Cluster, `REDIS_URL` may carry the user name and password; its host is not used. */
function credentials(
  url: string | undefined,
  otherwise: string | undefined
): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  if (url === undefined) return otherwise ? { password: otherwise } : {}
  const { username, password: ofUrl, protocol } = new URL(url)
  const password = ofUrl ? decodeURIComponent(ofUrl) : otherwise
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {})
  }
}
