// Measures 1, 2 and 4 gateways with one Redis: calls per second, p99, and the CPU time of the gateways and of Redis per call. The
// machine has few cores, so CPU time per call tells more than calls per second: it says how many gateways one Redis serves. Then
// measures what the same screens at 1, 2 and 4 gateways cost the API, and how late they show an alarm. That takes about five
// minutes whatever BENCH_SECONDS says, because shorter times would not show the reads of a list.
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { raiseAlarms } from './alarm-delays.ts'
import { quantile, table } from './figures.ts'
import { type Bench, type Benchmark, middle, othersOf, takeRounds } from './frame.ts'
import { type Server, startProgram } from './program.ts'
import { type Load, type Scene, startLoad, startScene } from './scene.ts'

const PEOPLE = 1_000
const CUSTOMERS = 200
const COUNTS = [1, 2, 4] as const
/** Number of connections of the load, divided among the gateways. */
const CONNECTIONS = 32
const WARM_UP_CALLS = 20_000
const ROUNDS_MIN = 3
/** The screens at each gateway: this number of opened customers, each beside the list of all. */
const OPENED_CUSTOMERS = 10
const LISTED_CUSTOMERS = 45
const ALARMS = 100
/** Time until each customer has been read once, in which the alarms are raised, and for the last events to arrive. */
const LIVE_SECONDS = { first: 20, raising: 60, arriving: 10 }
/** Other calls per second, proxied to an upstream that answers at once. */
const RATE = 100

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
  bench.print(`${table(head, rows)}\n`)
  for (const gateway of gateways) await gateway.stop()
  bench.print(await readings(bench, scene))
}

/** What screens show of many customers: upstream calls, the delay of an alarm at the last stream, and others' calls. */
async function readings(bench: Bench, scene: Scene): Promise<string> {
  await scene.inventory.ask('prepareCustomers', { devices: 100, customers: LISTED_CUSTOMERS })
  const streams = startProgram(bench, 'programs/streams.ts')
  const load = await startLoad(
    bench,
    scene.callsOf(() => '/api/v1/recover/customers/c-100x1/backups').slice(-20)
  )
  const customerOf = (number: number) => `c-100x${1 + (number % OPENED_CUSTOMERS)}`
  const screens = scene
    .callsOf((person) => `/api/portal/v1/events?customerId=${customerOf(person)}&organizationId=7`)
    .slice(0, OPENED_CUSTOMERS)
  const alarms = Array.from({ length: ALARMS }, (_, number) => customerOf(number))
  const rows = []
  for (const count of COUNTS) {
    const gateways: Server[] = []
    while (gateways.length < count) gateways.push(await scene.startGateway({ CALLS_IN_FLIGHT: '1000' }))
    for (const { origin } of gateways) await streams.ask('open', { origin, calls: screens })
    await wait(LIVE_SECONDS.first * 1000)
    await scene.inventory.ask('calls')
    const counted = wait(LIVE_SECONDS.raising * 1000).then(() => scene.inventory.ask<number>('calls'))
    const others = Promise.all(
      gateways.map(({ origin }) => load.paced(origin, RATE / count, LIVE_SECONDS.raising))
    )
    const delaysMs = await raiseAlarms({ scene, streams }, alarms, {
      raisingSeconds: LIVE_SECONDS.raising,
      arrivingSeconds: LIVE_SECONDS.arriving
    })
    const { p99, failed } = othersOf((await others).flat())
    if (failed > 0) throw new Error(`${failed} of the other calls failed`)
    rows.push([
      count,
      Math.round(((await counted) * 60) / LIVE_SECONDS.raising),
      (quantile(delaysMs, 0.5) / 1000).toFixed(1),
      (quantile(delaysMs, 0.95) / 1000).toFixed(1),
      ALARMS - delaysMs.length,
      p99.toFixed(1)
    ])
    await streams.ask('close')
    for (const gateway of gateways) await gateway.stop()
  }
  const head = [
    `gateways, each with ${OPENED_CUSTOMERS} opened customers and a list of ${LISTED_CUSTOMERS}`,
    'upstream calls a minute',
    'alarm p50 s',
    'alarm p95 s',
    'missed',
    `others' p99 ms, ${RATE}/s`
  ]
  return table(head, rows)
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
