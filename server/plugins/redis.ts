// Connects to Redis (one node, Sentinel or Cluster) so that trouble is quick and plain: a command fails within half a
// second, and nothing is queued while the connection is away (a queued command could be carried out after its caller
// was told that it failed).
import { setTimeout as wait } from 'node:timers/promises'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Config } from '../config.ts'
import type { Log } from '../types.ts'

const OPTIONS = {
  commandTimeout: 500,
  connectTimeout: 1_000,
  socketTimeout: 2_000,
  // A connection that is given up is closed soon, not when a silent peer has agreed to it.
  disconnectTimeout: 100,
  keepAlive: 5_000,
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  lazyConnect: true,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 500),
  // A failover leaves us at a replica: connect anew, and let the caller of this command decide.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY')
} satisfies RedisOptions

/** How the library says so. */
const TIMED_OUT = 'Command timed out'
const STARTS_WITHIN_MS = 5_000

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
    await Promise.race([redis.connect(), tooLate()])
    if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map((node) => node.ping()))
  } catch (error) {
    redis.disconnect()
    // `connect` itself knows only that there is no connection.
    throw reason ?? error
  }
  return redis
}

/** Sentinels that are all away would be asked for ever. */
async function tooLate(): Promise<never> {
  await wait(STARTS_WITHIN_MS, undefined, { ref: false })
  throw new Error(`Redis was not found within ${STARTS_WITHIN_MS} ms`)
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
    return new Connection({ ...OPTIONS, ...SENTINEL, ...login, sentinels: REDIS_SENTINELS, name })
  }
  if (REDIS_CLUSTER) return openCluster(REDIS_CLUSTER, login)
  return REDIS_URL ? new Connection(REDIS_URL, { ...OPTIONS, ...login }) : null
}

/**
 * Gives the connection up when a command was not answered in time. Answers carry no name: where one got lost, each later
 * command would take the answer of the one before it.
 */
class Connection extends Redis {
  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    const [{ promise }] = given
    promise.catch(({ message }) => message === TIMED_OUT && this.disconnect(true))
    return super.sendCommand(...given)
  }
}

/** A Sentinel that hangs is passed over. */
const SENTINEL = {
  sentinelCommandTimeout: 500,
  sentinelRetryStrategy: OPTIONS.retryStrategy
} satisfies RedisOptions

/**
 * The library would queue the first command to a new node, and would send a command again once its connection is
 * closed, even one that has long been told to have failed. So each node is connected as soon as it is known, and
 * nothing is sent again: the next call finds the way.
 */
function openCluster(nodes: { host: string; port: number }[], access: Credentials): Cluster {
  const { enableOfflineQueue, lazyConnect, retryStrategy, ...redisOptions } = OPTIONS
  const cluster = new Cluster(nodes, {
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    maxRedirections: 4,
    enableReadyCheck: false,
    slotsRefreshTimeout: 1_000,
    slotsRefreshInterval: 5_000,
    redisOptions: { ...redisOptions, ...access }
  })
  cluster.on('+node', (node: Redis) => void node.connect().catch(() => {}))
  return cluster
}

type Credentials = Pick<RedisOptions, 'username' | 'password' | 'tls' | 'enableTLSForSentinelMode'>

/** With Sentinel or Cluster, `REDIS_URL` may carry the user name and password; its host is not used. */
function credentials(url: string | undefined, otherwise: string | undefined): Credentials {
  if (url === undefined) return otherwise ? { password: otherwise } : {}
  const { username, password: ofUrl, protocol } = new URL(url)
  const password = ofUrl ? decodeURIComponent(ofUrl) : otherwise
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password } : {}),
    ...(protocol === 'rediss:' ? { tls: {}, enableTLSForSentinelMode: true } : {})
  }
}
