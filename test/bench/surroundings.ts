// Everything that the gateway needs to be measured: a Redis, an upstream, people who are signed in, and a load.
import type { Redis } from 'ioredis'
import { type Config, readConfig } from '#server/config/settings.ts'
import { freePort } from '#test/support/portal.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { moveToCore, OTHER_CORE, SERVER_CORE } from './cores.ts'
import { signInMany } from './people.ts'
import { type Program, startProgram, startServer } from './program.ts'
import type { Call } from './programs/load.ts'
import type { Bench } from './run.ts'

export const PEOPLE = 5_000
const CUSTOMERS = 200
/** As a current browser sends them. */
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

export interface Surroundings {
  gateway: Program
  gatewayOrigin: string
  /** Starts another gateway for the same people, with other settings; its address. */
  anotherGateway: (settings: Record<string, string>) => Promise<{ program: Program; origin: string }>
  /** Where its health and metrics are. */
  operationsOrigin: string
  upstreamOrigin: string
  /** A connection to look at what Redis does and holds. */
  redis: Redis
  redisUrl: string
  /** What sessions of all people take in Redis. */
  sessionBytes: number
  /** Calls of all people, that the gateway must permit. */
  calls: Call[]
  /** The same for people with other cookies. */
  callsWith: (cookies: readonly string[]) => Call[]
  /** A further source of load, with calls to make in turn. */
  load: (calls: Call[]) => Promise<Program>
}

const projectsOf = (customer: number) =>
  `/api/v2/management/organizations/${customer}/projects?page=0&size=20`

/** Starts it all; it ends with the benchmark. */
export async function startSurroundings(bench: Bench): Promise<Surroundings> {
  const redis = await startMovedRedis(bench)
  const [port, upstreamPort] = [await freePort(), await freePort()]
  const metricsPort = await freePort()
  const origin = (port: number) => `http://127.0.0.1:${port}`
  const secret = 'for-measuring-only-for-measuring-only-for-measuring'
  const env = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    METRICS_PORT: String(metricsPort),
    SHUTDOWN_DELAY_SECONDS: '0',
    PUBLIC_URL: origin(port),
    OIDC_ISSUER: origin(1),
    OIDC_CLIENT_ID: 'portal',
    OIDC_CLIENT_SECRET: 'unused',
    REDIS_URL: redis.url,
    SESSION_SECRETS: secret,
    UPSTREAM_URL: origin(upstreamPort),
    // Where few people make the calls, they make those of many.
    SESSION_CALLS_PER_MINUTE: '1000000'
  }
  const config: Config = readConfig({ ...env, PORT: String(port) })

  const started = async (program: Program | Promise<Program>) => {
    const running = await program
    bench.teardown(() => running.stop())
    return running
  }
  await started(startServer('programs/upstream.ts', upstreamPort, { core: OTHER_CORE }))
  const gateway = await started(startServer('../../server/main.ts', port, { core: SERVER_CORE, env }))

  const before = await usedBytes(redis.look)
  const cookies = await signInMany(config, [secret], PEOPLE)
  const sessionBytes = (await usedBytes(redis.look)) - before
  const callsOf = (pathOf: (customer: number) => string, of: readonly string[] = cookies): Call[] =>
    of.map((cookie, person) => ({
      path: pathOf(1000 + (person % CUSTOMERS)),
      headers: { ...BROWSER_HEADERS, cookie }
    }))

  return {
    gateway,
    gatewayOrigin: origin(port),
    async anotherGateway(settings) {
      const port = await freePort()
      const own = { METRICS_PORT: String(await freePort()), ...settings }
      const start = { core: SERVER_CORE, env: { ...env, ...own } }
      const program = await started(startServer('../../server/main.ts', port, start))
      return { program, origin: origin(port) }
    },
    operationsOrigin: origin(metricsPort),
    upstreamOrigin: origin(upstreamPort),
    redis: redis.look,
    redisUrl: redis.url,
    sessionBytes,
    calls: callsOf(projectsOf),
    callsWith: (others) => callsOf(projectsOf, others),
    async load(calls) {
      const load = await started(startProgram('programs/load.ts', { core: OTHER_CORE }))
      await load.ask('prepare', { calls })
      return load
    }
  }
}

async function startMovedRedis(bench: Bench) {
  const redis = await startRedis(bench)
  const [, pid = ''] = /process_id:(\d+)/.exec(await redis.look.info('server')) ?? []
  moveToCore(OTHER_CORE, Number(pid))
  return redis
}

async function usedBytes(redis: Redis): Promise<number> {
  const [, bytes = ''] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? []
  return Number(bytes)
}

/** How often each command has run, by its name. */
export async function commandCounts(redis: Redis): Promise<Map<string, number>> {
  const stats = await redis.info('commandstats')
  return new Map(
    [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, name = '', calls]) => [name, Number(calls)])
  )
}
