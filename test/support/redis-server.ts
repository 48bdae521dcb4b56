// A Redis for a test, on a free port and without persistence. It can be frozen, killed and restarted.
import { type ChildProcess, spawn } from 'node:child_process'
import { type Cluster, Redis } from 'ioredis'
import pino from 'pino'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createRedisBackend } from '#server/auth/sessions/redis.ts'
import { connectRedis } from '#server/redis.ts'
import { createReplicaMessages, type ReplicaMessages } from '#server/replica-messages.ts'
import type { Log } from '#server/types.ts'
import { freePort } from '#test/support/portal.ts'
import { PASSWORD, redisUser, USER } from './documented-users.ts'
import { leastConfig } from './least-config.ts'
import type { Test } from './teardown.ts'

export { eventually } from './eventually.ts'

export interface RedisServer {
  /** With the documented user. */
  url: string
  /** With a user who may run each command. */
  adminUrl: string
  client: Redis
  backend: (log?: Log) => Promise<SessionBackend>
  /** A backend without the gateway's timeouts, which a busy machine may exceed. */
  untimedBackend: () => SessionBackend
  /** The messages of one replica. */
  messages: (t: Test) => ReplicaMessages
  freeze: () => void
  thaw: () => void
  kill: () => Promise<void>
  /** Starts the server again, empty, at the same address. */
  restart: () => Promise<void>
}

export async function startRedis(t: Test, parameters: string[] = []): Promise<RedisServer> {
  const port = await freePort()
  const adminUrl = `redis://127.0.0.1:${port}`
  const url = `redis://${USER}:${PASSWORD}@127.0.0.1:${port}`
  let server = await launch(port, parameters)
  const client = new Redis(adminUrl, { lazyConnect: true, retryStrategy: () => 50 })
  client.on('error', () => {})
  await client.connect()
  const backends: SessionBackend[] = []

  const isRunning = () => server.exitCode === null && server.signalCode === null
  const kill = async () => {
    if (!isRunning()) return
    const exit = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await exit
  }
  t.teardown(async () => {
    server.kill('SIGCONT')
    client.disconnect()
    for (const backend of backends) await backend.close()
    await kill()
  })

  return {
    url,
    adminUrl,
    client,
    async backend(log) {
      const backend = createRedisBackend(await openRedis({ REDIS_URL: url }, log))
      backends.push(backend)
      return backend
    },
    untimedBackend() {
      const backend = createRedisBackend(new Redis(url))
      backends.push(backend)
      return backend
    },
    messages(t) {
      const connection = new Redis(url)
      const messages = createReplicaMessages(connection, pino({ level: 'silent' }))
      t.teardown(async () => {
        await messages.close()
        connection.disconnect()
      })
      return messages
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      await kill()
      server = await launch(port, parameters)
    }
  }
}

export async function openRedis(
  env: Record<string, string>,
  log: Log = pino({ level: 'silent' })
): Promise<Redis | Cluster> {
  const redis = await connectRedis(leastConfig(env), log)
  if (redis === null) throw new Error('the gateway opened no Redis connection')
  return redis
}

function launch(port: number, parameters: readonly string[]): Promise<ChildProcess> {
  const user = ['--user', ...redisUser.split(' ').slice(1)]
  const settings = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    ...user,
    ...parameters
  ]
  const server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`redis-server exited with ${code}`)))
    let output = ''
    server.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Ready to accept connections')) resolve(server)
    })
  })
}
