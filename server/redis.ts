// Connects to Redis (single node, Sentinel or Cluster). A command fails within half a second, and nothing is queued without a
// connection, because a queued command could run after its caller got a failure.
import { setTimeout as wait } from 'node:timers/promises'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Config } from './config/settings.ts'
import type { Log } from './types.ts'

const COMMAND_MS = 500
/** Closes a connection after this time without data, even while this process is busy. */
const SILENT_MS = 5_000

const OPTIONS = {
  connectTimeout: 1_000,
  // Includes time in which this process is busy; `watchCommands` does not.
  socketTimeout: SILENT_MS,
  // Close an abandoned connection soon, without waiting for an unresponsive peer.
  disconnectTimeout: 100,
  keepAlive: 5_000,
  // Lost commands fail at once.
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  lazyConnect: true,
  // Otherwise each connection sends a command that the user of Redis need not be allowed (CLIENT SETINFO).
  disableClientInfo: true,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 500),
  // Reconnect: after a failover the connection may lead to a replica. The caller of this command gets the error.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY')
} satisfies RedisOptions

const STARTS_WITHIN_MS = 5_000

/** The reason for a lost connection, which errors of commands do not contain. */
const lossReasons = new WeakMap<Redis | Cluster, Error>()

/** The configured connection, not yet started; null if none is configured. Once started, it reconnects automatically. */
export function openRedis(config: Config, log: Log): Redis | Cluster | null {
  const redis = open(config)
  if (redis === null) return null
  let wasConnected = false
  redis.on('error', (err) => {
    if (wasConnected && !lossReasons.has(redis)) log.error({ err }, 'lost the connection to Redis')
    lossReasons.set(redis, err)
  })
  redis.on('ready', () => {
    if (lossReasons.delete(redis) && wasConnected) log.info('connected to Redis again')
    wasConnected = true
  })
  return redis
}

/** Rejects with the reason for the lost connection, if it is known. */
export const explain = (redis: Redis | Cluster) => (error: unknown) => {
  throw lossReasons.get(redis) ?? error
}

/** Starts the connection. Rejects with the cause if Redis does not answer now. */
export async function beginRedis(redis: Redis | Cluster): Promise<void> {
  await Promise.race([redis.connect(), rejectWhenLate()]).catch(explain(redis))
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map((node) => node.ping()))
}

/** Opens and starts a connection. Closes it if Redis does not answer now. */
export async function connectRedis(config: Config, log: Log): Promise<Redis | Cluster | null> {
  const redis = openRedis(config, log)
  try {
    if (redis !== null) await beginRedis(redis)
  } catch (error) {
    redis?.disconnect()
    throw error
  }
  return redis
}

/** ioredis's messages for a command whose connection was lost or missing. */
const LOST = /connection is closed|connection close$|isn't (?:writeable|ready)|max retries/i

class ConnectionLost extends Error {}

/** Replaces ioredis's message for a lost connection, which names its options, by ours with the reason. */
export function inOurWords(error: Error, redis: Redis | Cluster): Error {
  if (!LOST.test(error.message)) return error
  return new ConnectionLost('there is no connection to Redis', { cause: lossReasons.get(redis) })
}

const nextConnection = new WeakMap<Redis | Cluster, Promise<void>>()

/**
 * Repeats a read once on the next connection if the connection was lost. The next connection may take as long as a command,
 * counted from the loss, because a read may also be lost at the end of its own time.
 */
export async function readOnceMore<T>(redis: Redis | Cluster, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error
    const isConnected = await Promise.race([
      connectedAgain(redis).then(() => true),
      waitRunning(COMMAND_MS).then(() => false)
    ])
    if (!isConnected) throw error
  }
  return read()
}

const STEP_MS = 100

/** Waits in steps, so that time in which this process is busy counts as one step only. */
async function waitRunning(ms: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < ms; waitedMs += STEP_MS) await wait(STEP_MS, undefined, { ref: false })
}

/** Waits for the next connection; all waiters share one listener. A Cluster that is ready can use another node at once. */
async function connectedAgain(redis: Redis | Cluster): Promise<void> {
  if (redis instanceof Cluster && redis.status === 'ready') return
  const nextReady =
    nextConnection.get(redis) ?? new Promise<void>((resolve) => void redis.once('ready', () => resolve()))
  nextConnection.set(redis, nextReady)
  await nextReady
  nextConnection.delete(redis)
}

/** Limits the wait: ioredis retries unreachable Sentinels for ever. */
async function rejectWhenLate(): Promise<never> {
  await waitRunning(STARTS_WITHIN_MS)
  throw new Error(`no connection to Redis within ${STARTS_WITHIN_MS} ms`)
}

function open(config: Config): Redis | Cluster | null {
  const { REDIS_SENTINELS, REDIS_SENTINEL_NAME, REDIS_CLUSTER, REDIS_URL } = config
  const login = credentials(config)
  if (REDIS_SENTINELS)
    return new Connection({
      ...OPTIONS,
      ...login,
      sentinels: REDIS_SENTINELS,
      ...(REDIS_SENTINELS[0]?.tls ? { sentinelTLS: {} } : {}),
      name: REDIS_SENTINEL_NAME ?? 'mymaster',
      // Skip a Sentinel that hangs.
      sentinelCommandTimeout: 500,
      sentinelRetryStrategy: OPTIONS.retryStrategy,
      sentinelUsername: config.REDIS_SENTINEL_USERNAME ?? '',
      sentinelPassword: config.REDIS_SENTINEL_PASSWORD ?? ''
    })
  if (REDIS_CLUSTER) return openCluster(REDIS_CLUSTER, login)
  return REDIS_URL ? new Connection(withoutLogin(REDIS_URL), { ...OPTIONS, ...login }) : null
}

/** The library would use the user name and password of the address, even if it has only one of them. */
function withoutLogin(address: string): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * Closes the connection after a late command, which `commandTimeout` does not. Answers have no id: after a lost answer, each
 * later command would get the answer of the command before it (test/server/redis.test.ts).
 */
class Connection extends Redis {
  readonly #watch = watchCommands(() => this.stream?.writable === false || this.disconnect(true))
  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    this.#watch(args[0])
    rejectInOurWords(args[0], this)
    writeTogether(this.stream)
    return super.sendCommand(...args)
  }
}

/**
 * Sends the commands of one turn of the event loop in one write, because writes are slow. With the library's
 * `enableAutoPipelining`, which also sends nothing while an earlier pipeline is unanswered, a call through the gateway takes
 * a fifth more CPU (`npm run bench -- proxy`).
 */
function writeTogether(stream: Redis['stream'] | undefined): void {
  if (stream?.writableCorked !== 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** The library closes a node's connection after this time without data. */
const NODE_SILENT_MS = 2_000

class ClusterConnection extends Cluster {
  readonly #watch = watchCommands(() => {})
  override sendCommand(...args: Parameters<Cluster['sendCommand']>): unknown {
    this.#watch(args[0])
    rejectInOurWords(args[0], this)
    return super.sendCommand(...args)
  }
}

type SentCommand = Parameters<Redis['sendCommand']>[0]

function rejectInOurWords(command: SentCommand, redis: Redis | Cluster): void {
  const { reject } = command
  command.reject = (error) => reject(inOurWords(error, redis))
}

const CHECK_EVERY_MS = 50
const CHECKS = COMMAND_MS / CHECK_EVERY_MS

/**
 * Rejects commands without an answer in time. Counts turns of the event loop, because each of them reads answers. So time in
 * which this process is busy does not count. With the library's `commandTimeout` it counts, and the tests of blocked event loops
 * in test/server/redis.long.test.ts fail.
 */
function watchCommands(onLate: () => void): (command: SentCommand) => void {
  let sentCommands: { command: SentCommand; checkCount: number }[] = []
  let checkCount = 0
  let timer: NodeJS.Timeout | undefined
  function checkCommands() {
    checkCount += 1
    sentCommands = sentCommands.filter(({ command }) => !command.isSettled)
    const lateCommands = sentCommands.filter((sent) => checkCount - sent.checkCount > CHECKS)
    for (const { command } of lateCommands) command.reject(new Error('Command timed out'))
    if (lateCommands.length > 0) onLate()
    if (sentCommands.length > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return (command) => {
    sentCommands.push({ command, checkCount })
    timer ??= setInterval(checkCommands, CHECK_EVERY_MS)
  }
}

/**
 * By default the library queues the first command to a new node, and repeats a command after a closed connection although its
 * caller got an error. So this function connects each node as soon as it is known, and repeats nothing.
 */
function openCluster(nodes: { host: string; port: number }[], access: Credentials): Cluster {
  const { enableOfflineQueue, lazyConnect, retryStrategy, ...redisOptions } = OPTIONS
  const cluster = new ClusterConnection(nodes, {
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    maxRedirections: 4,
    enableReadyCheck: false,
    slotsRefreshTimeout: 1_000,
    slotsRefreshInterval: 5_000,
    redisOptions: { ...redisOptions, socketTimeout: NODE_SILENT_MS, ...access }
  })
  cluster.on('+node', (node: Redis) => void node.connect().catch(() => {}))
  return cluster
}

type Credentials = Pick<RedisOptions, 'username' | 'password' | 'tls' | 'enableTLSForSentinelMode'>

/** With Sentinel or Cluster, `REDIS_URL` may carry the user name and password; its host is not used. */
function credentials({ REDIS_URL, REDIS_USERNAME, REDIS_PASSWORD }: Config): Credentials {
  const url = REDIS_URL === undefined ? null : new URL(REDIS_URL)
  return {
    username: decodeURIComponent(url?.username ?? '') || REDIS_USERNAME || '',
    password: decodeURIComponent(url?.password ?? '') || REDIS_PASSWORD || '',
    ...(url?.protocol === 'rediss:' ? { tls: {}, enableTLSForSentinelMode: true } : {})
  }
}
