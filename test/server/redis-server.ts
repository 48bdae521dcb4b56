// A real Redis for a test: on a free port, without persistence, gone with the test. It can be frozen, killed and started
// again, and opened the way the gateway does it.
import { type ChildProcess, spawn } from 'node:child_process'
import { Redis } from 'ioredis'
import pino from 'pino'
import { createRedisBackend } from '#server/auth/redis-backend.ts'
import type { SessionBackend } from '#server/auth/session-backend.ts'
import { readConfig } from '#server/config.ts'
import { connectRedis } from '#server/plugins/redis.ts'
import type { Log } from '#server/types.ts'
import { freePort } from '#test/helper.ts'

/** What tap gives a test; only the part that is used. */
interface Test {
  teardown: (work: () => unknown) => void
}

export interface RedisServer {
  url: string
  /** A connection of the test's own, to look at what is stored. */
  look: Redis
  /** A session backend over a connection as the gateway opens it; closed with the test. */
  backend: (log?: Log) => Promise<SessionBackend>
  /** Still there, but answers nothing. */
  freeze: () => void
  thaw: () => void
  /** Gone at once, with everything that it held. */
  kill: () => Promise<void>
  /** Empty, at the same address. */
  restart: () => Promise<void>
}

/** Starts a Redis of its own. */
export async function startRedis(t: Test): Promise<RedisServer> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let server = await launch(port)
  const look = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 })
  look.on('error', () => {})
  await look.connect()
  const opened: SessionBackend[] = []

  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await gone
  }
  t.teardown(async () => {
    look.disconnect()
    for (const backend of opened) await backend.close()
    await kill()
  })

  return {
    url,
    look,
    async backend(log = pino({ level: 'silent' })) {
      const redis = await connectRedis(redisConfig(url), log)
      if (redis === null) throw new Error('the gateway opened no Redis')
      const backend = createRedisBackend(redis)
      opened.push(backend)
      return backend
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      await kill()
      server = await launch(port)
    }
  }
}

function redisConfig(url: string) {
  const elsewhere = 'http://localhost:1'
  return readConfig({
    OIDC_ISSUER: elsewhere,
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'x',
    UPSTREAM_URL: elsewhere,
    REDIS_URL: url
  })
}

function launch(port: number): Promise<ChildProcess> {
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    let said = ''
    server.stdout.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ready to accept connections')) resolve(server)
    })
  })
}

/** Asks again and again until it holds. Rejects when it does not within the time. */
export async function eventually<T>(ask: () => T | Promise<T>, withinMs = 3000): Promise<T> {
  const until = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > until) throw new Error(`it did not hold within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
