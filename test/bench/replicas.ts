// Measures 1, 2 and 4 gateways with one Redis: calls per second, p99, and the CPU time of the gateways and of Redis per call. The
// machine has few cores, so CPU time per call tells more than calls per second: it says how many gateways one Redis serves.
import type { Redis } from 'ioredis'
import { table } from './figures.ts'
import { type Bench, type Benchmark, middle, takeRounds } from './frame.ts'
import type { Server } from './program.ts'
import { type Load, startLoad, startScene } from './scene.ts'

const PEOPLE = 1_000
const CUSTOMERS = 200
const COUNTS = [1, 2, 4] as const
/** Number of connections of the load, divided among the gateways. */
const CONNECTIONS = 32
const WARM_UP_CALLS = 20_000
const ROUNDS_MIN = 3

interface Turn {
  callsPerSecond: number
  p99: number
  /** CPU time per call, in microseconds. */
  gatewayMicros: number
  redisMicros: number
  redisCommands: number
}

export const replicas: Benchmark = { name: 'replicas', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: PEOPLE })
  const settings = { UPSTREAM_URL: scene.plain.origin, ROLES_MAX_AGE_SECONDS: '600' }
  const gateways: Server[] = []
  while (gateways.length < Math.max(...COUNTS)) gateways.push(await scene.startGateway(settings))
  const calls = scene.callsOf(
    (person) => `/api/v2/management/organizations/${1000 + (person % CUSTOMERS)}/projects?page=0&size=20`
  )
  const load = await startLoad(bench, calls)
  for (const gateway of gateways)
    for (let done = 0; done < WARM_UP_CALLS; ) done += (await load.fast(gateway.origin, CONNECTIONS, 1)).calls

  const seconds = Math.max(1, bench.seconds / 60)
  const take = (count: string) => measure(scene.redis, load, gateways.slice(0, Number(count)), seconds)
  const kinds = COUNTS.map(String)
  const rounds = await takeRounds(kinds, take, { seconds: bench.seconds, atLeast: ROUNDS_MIN })
  const cell = (count: string, of: (turn: Turn) => number, digits: number) =>
    middle(rounds, count, of).toFixed(digits)
  const rows = kinds.map((count) => [
    count,
    cell(count, ({ callsPerSecond }) => callsPerSecond, 0),
    cell(count, ({ p99 }) => p99, 1),
    cell(count, ({ gatewayMicros }) => gatewayMicros, 0),
    cell(count, ({ redisMicros }) => redisMicros, 1),
    cell(count, ({ redisCommands }) => redisCommands, 2),
    cell(count, ({ redisMicros }) => 1e6 / redisMicros, 0)
  ])
  const head = [
    `gateways, ${CONNECTIONS} connections, ${rounds.length} rounds`,
    'calls/s',
    'p99 ms',
    'gateway CPU µs per call',
    'Redis CPU µs per call',
    'Redis commands per call',
    'calls/s at which Redis needs a core'
  ]
  bench.print(table(head, rows))
}

async function measure(
  redis: Redis,
  load: Load,
  gateways: readonly Server[],
  seconds: number
): Promise<Turn> {
  const cpuOf = async () => {
    const times = await Promise.all(gateways.map((gateway) => gateway.ask<number>('cpu')))
    return times.reduce((sum, time) => sum + time, 0)
  }
  const before = { gateways: await cpuOf(), redis: await redisUsage(redis) }
  const share = CONNECTIONS / gateways.length
  const answers = await Promise.all(gateways.map(({ origin }) => load.fast(origin, share, seconds)))
  const after = { gateways: await cpuOf(), redis: await redisUsage(redis) }
  const calls = answers.reduce((sum, answer) => sum + answer.calls, 0)
  const failed = answers.reduce((sum, answer) => sum + answer.failed, 0)
  if (failed > 0) throw new Error(`${failed} of ${calls} calls failed`)
  return {
    callsPerSecond: answers.reduce((sum, answer) => sum + answer.calls / answer.seconds, 0),
    p99: Math.max(...answers.map(({ p99 }) => p99)),
    gatewayMicros: (after.gateways - before.gateways) / calls,
    redisMicros: (after.redis.micros - before.redis.micros) / calls,
    redisCommands: (after.redis.commands - before.redis.commands) / calls
  }
}

/** CPU time of the Redis process in microseconds, and its commands since the start. */
async function redisUsage(redis: Redis): Promise<{ micros: number; commands: number }> {
  const figure = (text: string, name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1])
  const cpu = await redis.info('cpu')
  const stats = await redis.info('stats')
  return {
    micros: (figure(cpu, 'used_cpu_user') + figure(cpu, 'used_cpu_sys')) * 1e6,
    commands: figure(stats, 'total_commands_processed')
  }
}
