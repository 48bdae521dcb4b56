// The environment of a measured gateway: Redis, cheap upstreams, sessions and a load generator.
import type { Redis } from 'ioredis'
import { request } from 'undici'
import { readConfig } from '#server/config/settings.ts'
import { freePort } from '#test/support/free-port.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { moveToCore, OTHER_CORE } from './cores.ts'
import type { Bench } from './frame.ts'
import { hoardSessions, signInMany } from './people.ts'
import { type Server, startGateway, startProgram, startServer } from './program.ts'
import type { Answered, Call, FastAnswers } from './programs/load.ts'

const BROWSER_HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'x-portal-csrf': '1'
}
const SECRET = 'for-measuring-only-for-measuring-only-for-measuring'
export const LATENCY_MS = 25

export interface Scene {
  redis: Redis
  redisUrl: string
  sessionBytes: number
  /** Answers every call with 2 KB, or 200 KB for large customers. */
  plain: Server
  inventory: Server
  /** Starts a gateway. Backups come from `plain`, other data from `inventory`, unless the settings differ. */
  startGateway(settings?: Record<string, string>): Promise<Server>
  /** Signs more people in. Returns their cookies. */
  signIn(people: readonly string[]): Promise<string[]>
  /** Stores many sessions of one person. */
  hoard(person: string, sessions: number): Promise<void>
  callsOf(path: (person: number) => string, cookies?: readonly string[]): Call[]
}

export async function startScene(bench: Bench, { people }: { people: number }): Promise<Scene> {
  // Redis inherits the core of this process.
  moveToCore(OTHER_CORE, process.pid)
  const redis = await startRedis(bench)
  const env = { LATENCY_MS: String(LATENCY_MS) }
  const plain = await startServer(bench, 'programs/upstream.ts')
  const inventory = await startServer(bench, 'programs/inventory-upstream.ts', { env })
  const settings = (port: string) => ({
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: 'http://127.0.0.1:1',
    OIDC_CLIENT_ID: 'portal',
    OIDC_CLIENT_SECRET: 'unused',
    REDIS_URL: redis.url,
    SESSION_SECRETS: SECRET,
    UPSTREAM_URL: inventory.origin,
    UPSTREAM_RECOVER_URL: plain.origin,
    // A few sessions make all the calls.
    SESSION_CALLS_PER_MINUTE: '1000000'
  })
  const bytesBefore = await usedBytes(redis.client)
  const config = readConfig(settings('1'))
  const signIn = (names: readonly string[]) => signInMany(config, [SECRET], names)
  const cookies = await signIn(Array.from({ length: people }, (_, number) => `${number}`))
  return {
    redis: redis.client,
    redisUrl: redis.url,
    sessionBytes: (await usedBytes(redis.client)) - bytesBefore,
    plain,
    inventory,
    signIn,
    hoard: (person, sessions) => hoardSessions(config, [SECRET], person, sessions),
    async startGateway(overrides = {}) {
      const port = String(await freePort())
      return startGateway(bench, { PORT: port, ...settings(port), ...overrides })
    },
    callsOf: (path, cookieList = cookies) =>
      cookieList.map((cookie, person) => ({ path: path(person), headers: { ...BROWSER_HEADERS, cookie } }))
  }
}

async function usedBytes(redis: Redis): Promise<number> {
  const [, bytes = ''] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? []
  return Number(bytes)
}

export interface Load {
  fast(origin: string, connections: number, seconds: number): Promise<FastAnswers>
  /** Makes calls at a fixed rate, even if answers are late. */
  paced(origin: string, rate: number, seconds: number): Promise<Answered[]>
}

export async function startLoad(bench: Bench, calls: readonly Call[]): Promise<Load> {
  const program = startProgram(bench, 'programs/load.ts')
  await program.ask('prepare', { calls })
  return {
    fast: (origin, connections, seconds) => program.ask('fast', { origin, connections, seconds }),
    paced: (origin, rate, seconds) => program.ask('paced', { origin, rate, seconds })
  }
}

interface TimedBody {
  /** Milliseconds until the last byte. */
  ms: number
  body: Uint8Array
}

/** Makes one call with an uncompressed answer; rejects unless the status is 200. */
export async function get(origin: string, { path, headers }: Call): Promise<TimedBody> {
  const startedAt = performance.now()
  const { statusCode: status, body } = await request(origin + path, {
    headers: { ...headers, 'accept-encoding': 'identity' }
  })
  const bytes = await body.bytes()
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return { ms: performance.now() - startedAt, body: bytes }
}

export async function forget({ redis }: Scene, devices: number | string): Promise<void> {
  const receivers = await redis.publish('portal:inventory-changed', `another-replica c-${devices}`)
  if (receivers === 0) throw new Error('no gateway listens for changes of other replicas')
  await new Promise((resolve) => setTimeout(resolve, 50))
}
