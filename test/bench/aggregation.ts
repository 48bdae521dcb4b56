// Measures the time to assemble a customer of 10,000 and 100,000 devices, compared with a plain join with maps on the same core.
// Then measures pages of devices from memory, and the delay of proxied calls during an assembly.
import { SERVER_CORE } from './cores.ts'
import { table } from './figures.ts'
import {
  type Bench,
  type Benchmark,
  middle,
  type Others,
  othersOf,
  othersTable,
  type Rounds,
  ratio,
  takeRounds
} from './frame.ts'
import { type Program, type Server, startProgram } from './program.ts'
import type { Call } from './programs/load.ts'
import type { Usage } from './programs/usage.ts'
import { forget, get, LATENCY_MS, type Scene, startLoad, startScene } from './scene.ts'

/** Maximum ratio of gateway time to map time, by number of devices. */
const GOALS = { 10000: 1.2, 100000: 1.4 } as const
const LARGEST = 100_000
const WARM_UP_SIZE = 1_000
const ROUNDS_MIN = 3
/** Pages of devices per second. */
const PAGE_RATE = 20
/** Proxied calls per second. */
const RATE = 200
const OTHERS_GOAL = 1.3

const WAYS = ['maps', 'gateway'] as const
type Way = (typeof WAYS)[number]

interface Turn extends Usage {
  ms: number
}

interface Setup {
  bench: Bench
  scene: Scene
  gateway: Server
  maps: Program
  call: (path: string) => Call
}

const pathOf = (devices: number, rest: string) => `/api/portal/v1/customers/c-${devices}/${rest}`

export const aggregation: Benchmark = { name: 'aggregation', weight: 4, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: 20 })
  const gateway = await scene.startGateway({ CALLS_IN_FLIGHT: '1000' })
  const nodeOptions = ['--import', new URL('programs/usage.ts', import.meta.url).href]
  const maps = startProgram(bench, 'programs/map-join.ts', { core: SERVER_CORE, nodeOptions })
  const [firstCall] = scene.callsOf(() => '/')
  const call = (path: string): Call => ({ headers: firstCall?.headers ?? {}, path })
  const setup: Setup = { bench, scene, gateway, maps, call }
  const sizes = Object.keys(GOALS).map(Number)
  for (const devices of [WARM_UP_SIZE, ...sizes]) await scene.inventory.ask('prepare', { devices })
  for (let turn = 0; turn < 5; turn += 1) for (const way of WAYS) await assemble(setup, way, WARM_UP_SIZE)

  const rows: (string | number)[][] = []
  for (const devices of sizes) {
    const seconds = bench.seconds * (devices === LARGEST ? 0.4 : 0.2)
    const take = (way: Way) => assemble(setup, way, devices)
    rows.push(rowOf(devices, await takeRounds(WAYS, take, { seconds, atLeast: ROUNDS_MIN })))
  }
  const head = ['devices (cold)', 'rounds', 'maps ms', 'gateway ms', 'gateway / maps', 'goal', 'maps CPU ms']
  bench.print(`${table([...head, 'gateway CPU ms', 'longest block, CPU ms', 'wall-clock ms'], rows)}\n`)
  bench.print(`${await pages(setup)}\n`)
  bench.print(await otherCalls(setup))
  const peak = await gateway.ask<number>('peakBytes')
  bench.print(
    `\nPeak RSS of the gateway: ${(peak / 2 ** 20).toFixed(0)} MB. Upstream calls take ${LATENCY_MS} ms.`
  )
}

/** Measures a cold assembly, up to the last byte of the tree. */
async function assemble({ scene, gateway, maps, call }: Setup, way: Way, devices: number): Promise<Turn> {
  const server = way === 'maps' ? maps : gateway
  if (way === 'gateway') await forget(scene, devices)
  await server.ask('watch')
  const ms =
    way === 'maps'
      ? await maps.ask<number>('assemble', { origin: scene.inventory.origin, devices })
      : (await get(gateway.origin, call(pathOf(devices, 'tree')))).ms
  return { ms, ...(await server.ask<Usage>('watched')) }
}

function rowOf(devices: number, rounds: Rounds<Way, Turn>): (string | number)[] {
  const figure = (way: Way, of: (turn: Turn) => number) => middle(rounds, way, of).toFixed(0)
  return [
    devices,
    rounds.length,
    figure('maps', ({ ms }) => ms),
    figure('gateway', ({ ms }) => ms),
    ratio(rounds, ['gateway', 'maps'], ({ ms }) => ms),
    `≤ ${GOALS[devices as keyof typeof GOALS]}`,
    figure('maps', ({ cpuMs }) => cpuMs),
    figure('gateway', ({ cpuMs }) => cpuMs),
    figure('gateway', ({ heldCpuMs }) => heldCpuMs),
    figure('gateway', ({ heldWallMs }) => heldWallMs)
  ]
}

const SEARCHES = ['', 'q=ahu', 'q=a82', 'q=titan', 'q=project%2012', 'q=level%204', 'q=zzzz', 'q=82b&page=1']
const ORDERS = ['sort=deviceName', 'sort=hostId&order=desc', 'sort=projectName', 'service=NDS']

/** Measures cached pages of the largest customer with different searches, sorts and filters. */
async function pages({ bench, gateway, call }: Setup): Promise<string> {
  const queries = SEARCHES.flatMap((search) =>
    ORDERS.map((order) => pathOf(LARGEST, `devices?${search}&${order}`))
  )
  const calls = queries.map(call)
  for (const pageCall of calls) await get(gateway.origin, pageCall)
  const load = await startLoad(bench, calls)
  await gateway.ask('watch')
  const answers = await load.paced(gateway.origin, PAGE_RATE, bench.seconds * 0.1)
  const { cpuMs, heldCpuMs } = await gateway.ask<Usage>('watched')
  const { p50, p99, failed } = othersOf(answers)
  const figures = [p50, p99, cpuMs / answers.length, heldCpuMs].map((value) => value.toFixed(1))
  const head = [
    `pages of ${LARGEST} devices`,
    'p50 ms',
    'p99 ms',
    'CPU ms per call',
    'longest block, CPU ms',
    'failed'
  ]
  return table(head, [[`${answers.length} calls, ${PAGE_RATE}/s`, ...figures, failed]])
}

const KINDS = ['quiet', 'assembling with maps', 'assembling in the gateway'] as const
type Kind = (typeof KINDS)[number]

async function otherCalls(setup: Setup): Promise<string> {
  const { bench, gateway, scene } = setup
  const load = await startLoad(
    bench,
    scene.callsOf(() => '/api/v1/recover/customers/c-1000/backups')
  )
  await load.paced(gateway.origin, RATE, 1)
  const seconds = Math.max(1, (bench.seconds * 0.3) / ROUNDS_MIN / KINDS.length)
  const assemblies: Record<Kind, number> = {
    quiet: 0,
    'assembling with maps': 0,
    'assembling in the gateway': 0
  }
  async function take(kind: Kind): Promise<Others> {
    let isDone = false
    const assemblyLoop = (async () => {
      for (; kind !== 'quiet' && !isDone; assemblies[kind] += 1)
        await assemble(setup, kind === 'assembling with maps' ? 'maps' : 'gateway', LARGEST)
    })()
    const answers = await load.paced(gateway.origin, RATE, seconds)
    isDone = true
    await assemblyLoop
    return othersOf(answers)
  }
  const rounds = await takeRounds(KINDS, take, { seconds: bench.seconds * 0.3, atLeast: ROUNDS_MIN })
  const othersText = othersTable(`proxied calls, ${RATE}/s`, OTHERS_GOAL, KINDS, rounds)
  return `${othersText}\nAssemblies meanwhile: ${KINDS.slice(1)
    .map((kind) => `${kind} ${assemblies[kind]}`)
    .join(', ')}`
}
