// Measures the cost of a permitted call through the gateway, compared with @fastify/http-proxy alone and with @fastify/session
// in front of the proxy. All servers get the same answers of 2 KB or 200 KB from the same upstream.
import type { Redis } from 'ioredis'
import { SERVER_CORE } from './cores.ts'
import { quantile, table } from './figures.ts'
import { type Bench, type Benchmark, middle, type Rounds, ratio, takeRounds } from './frame.ts'
import { type Server, startServer } from './program.ts'
import type { Memory } from './programs/usage.ts'
import { type Load, startLoad, startScene } from './scene.ts'

const PEOPLE = 5_000
const CUSTOMERS = 200
/** The lowest customer number for which the upstream answers with 200 KB. */
const FIRST_LARGE = 2_000
const CONNECTIONS = 32
const FEW_SESSIONS = 50
const ROUNDS_MIN = 3
/** A busy machine may cause one or two failures; more failures make a measurement useless. */
const FAILED_SHARE_MAX = 0.001

const SERVERS = {
  bare: '@fastify/http-proxy alone',
  session: 'tuned @fastify/session with one role check',
  gateway: 'gateway',
  quiet: 'gateway, LOG_LEVEL=warn',
  traced: 'gateway, all traces',
  sampled: 'gateway, a twentieth of the traces'
} as const
type Name = keyof typeof SERVERS
const NAMES = Object.keys(SERVERS) as Name[]

interface Turn {
  cpuSeconds: number
  callsPerSecond: number
  p99: number
  calls: number
  redisBytes: number
  redisCommands: number
}

export const proxy: Benchmark = { name: 'proxy', weight: 3, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: PEOPLE })
  const upstream = { UPSTREAM_URL: scene.plain.origin }
  // By default all sessions, created together, would read their roles again in the same turn.
  const gateway = { ...upstream, ROLES_MAX_AGE_SECONDS: '600' }
  // Answers spans like any other call.
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: scene.plain.origin }
  const options = { core: SERVER_CORE, env: { ...upstream, REDIS_URL: scene.redisUrl } }
  const servers: Record<Name, Server> = {
    bare: await startServer(bench, 'programs/bare-proxy.ts', options),
    session: await startServer(bench, 'programs/tuned-session.ts', options),
    gateway: await scene.startGateway(gateway),
    quiet: await scene.startGateway({ ...gateway, LOG_LEVEL: 'warn' }),
    traced: await scene.startGateway({ ...gateway, ...collector }),
    sampled: await scene.startGateway({ ...gateway, ...collector, OTEL_TRACES_SAMPLER_ARG: '0.05' })
  }
  const tunedCookies = await servers.session.ask<string[]>('signIn', { people: PEOPLE })
  const memory = await memoryOf(bench, scene.sessionBytes, servers.gateway, () =>
    startLoad(bench, scene.callsOf(pathFrom(1000)).slice(0, FEW_SESSIONS))
  )
  for (const [title, firstCustomer, people] of [
    [`2 KB, ${PEOPLE} sessions`, 1000, PEOPLE],
    ['2 KB, one session', 1000, 1],
    [`200 KB, ${PEOPLE} sessions`, FIRST_LARGE, PEOPLE]
  ] as const) {
    const callsOf = (cookies?: string[]) => scene.callsOf(pathFrom(firstCustomer), cookies).slice(0, people)
    const load = await startLoad(bench, callsOf())
    const tunedLoad = await startLoad(bench, callsOf(tunedCookies))
    const seconds = Math.max(0.3, Math.min(2, bench.seconds / 60))
    const take = (name: Name) =>
      measure(scene.redis, name === 'session' ? tunedLoad : load, servers[name], seconds)
    // Warm up: code is slow at first, and the first call of a session reads its whole record.
    for (const name of NAMES) for (let calls = 0; calls < PEOPLE; ) calls += (await take(name)).calls
    const rounds = await takeRounds(NAMES, take, { seconds: bench.seconds * 0.3, atLeast: ROUNDS_MIN })
    bench.print(`${costs(title, rounds)}\n`)
  }
  bench.print(await memory())
}

const pathFrom = (firstCustomer: number) => (person: number) =>
  `/api/v2/management/organizations/${firstCustomer + (person % CUSTOMERS)}/projects?page=0&size=20`

async function measure(redis: Redis, load: Load, server: Server, seconds: number): Promise<Turn> {
  const [cpu, statsBefore] = [await server.ask<number>('cpu'), await statsOf(redis)]
  const answers = await load.fast(server.origin, CONNECTIONS, seconds)
  const [cpuAfter, statsAfter] = [await server.ask<number>('cpu'), await statsOf(redis)]
  const { calls, failed, p99 } = answers
  if (failed > calls * FAILED_SHARE_MAX) throw new Error(`${failed} of ${calls} calls failed`)
  return {
    cpuSeconds: (((cpuAfter - cpu) / 1e6) * 10_000) / calls,
    callsPerSecond: calls / answers.seconds,
    p99,
    calls,
    redisBytes: (statsAfter.bytes - statsBefore.bytes) / calls,
    redisCommands: (statsAfter.commands - statsBefore.commands) / calls
  }
}

async function statsOf(redis: Redis): Promise<{ bytes: number; commands: number }> {
  const stats = await redis.info('stats')
  const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(stats)?.[1])
  return { bytes: figure('total_net_output_bytes'), commands: figure('total_commands_processed') }
}

function costs(title: string, rounds: Rounds<Name, Turn>): string {
  const cpu = ({ cpuSeconds }: Turn) => cpuSeconds
  const cpuRatio = (name: Name, other: Name) => (name === other ? '' : ratio(rounds, [name, other], cpu))
  const rows = NAMES.map((name) => [
    SERVERS[name],
    middle(rounds, name, cpu).toFixed(2),
    quantile(
      rounds.map((round) => cpu(round[name])),
      0
    ).toFixed(2),
    cpuRatio(name, 'bare'),
    cpuRatio(name, 'session'),
    middle(rounds, name, ({ p99 }) => p99).toFixed(1),
    name === 'session' ? '' : ratio(rounds, [name, 'session'], ({ p99 }) => p99),
    Math.round(middle(rounds, name, ({ callsPerSecond }) => callsPerSecond)),
    middle(rounds, name, ({ redisCommands }) => redisCommands).toFixed(2),
    Math.round(middle(rounds, name, ({ redisBytes }) => redisBytes))
  ])
  const head = [
    `${title}, ${CONNECTIONS} connections, ${rounds.length} rounds`,
    'CPU s per 10,000 calls',
    'minimum CPU s',
    'CPU / proxy alone',
    'CPU / tuned session',
    'p99 ms',
    'p99 / tuned session',
    'calls/s',
    'Redis commands per call',
    'Redis bytes per call'
  ]
  return table(head, rows)
}

async function memoryOf(bench: Bench, sessionBytes: number, gateway: Server, startFew: () => Promise<Load>) {
  const memory = () => gateway.ask<Memory>('memory')
  const startMemory = await memory()
  await (await startFew()).fast(gateway.origin, CONNECTIONS, bench.seconds * 0.05)
  const warmMemory = await memory()
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
  const for10000 = (bytes: number) => mb((bytes * 10_000) / PEOPLE)
  return async () => {
    const usedMemory = await memory()
    const rows = [
      ['Redis per 10,000 sessions', for10000(sessionBytes)],
      ['gateway RSS at the start', mb(startMemory.rssBytes)],
      [`gateway RSS after calls of ${PEOPLE} sessions`, mb(usedMemory.rssBytes)],
      ['gateway heap per 10,000 sessions in use', for10000(usedMemory.heapBytes - warmMemory.heapBytes)]
    ]
    return table(['memory', 'MB'], rows)
  }
}
