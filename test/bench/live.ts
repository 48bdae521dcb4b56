// Measures live streams: the delay from an alarm at the upstream to its event for an opened customer and for a list of 45
// customers, upstream calls with 1 and with 50 viewers, and what 2,000 open streams cost. The delays and calls take about five
// minutes whatever BENCH_SECONDS says, because shorter times would not show the reads of a list.
import { setTimeout as wait } from 'node:timers/promises'
import { raiseAlarms } from './alarm-delays.ts'
import { quantile, table } from './figures.ts'
import {
  type Bench,
  type Benchmark,
  middle,
  type Others,
  othersOf,
  othersTable,
  takeRounds
} from './frame.ts'
import { type Program, type Server, startProgram } from './program.ts'
import type { Call } from './programs/load.ts'
import type { Memory, Usage } from './programs/usage.ts'
import { type Scene, startLoad, startScene } from './scene.ts'

const DEVICES = 100
const CUSTOMERS = 45
const OPENED_CUSTOMERS = 10
const ALARMS = 100
/** Time in which the alarms of each part are raised. */
const RAISING_SECONDS = 50
/** Time for the last events to arrive: longer than their goal. */
const ARRIVING_SECONDS = { opened: 10, listed: 40 }
const GOAL_SECONDS = { opened: 6, listed: 30 }
const COUNTED_SECONDS = 30
const VIEWERS = [1, 50] as const
/** The upstream searches of one viewer in a minute without streams: three lists of two searches, and five counts. */
const SEARCHES_BEFORE = 3 * 2 + 5
const STREAMS = 2_000
const STREAMS_PER_SESSION = 6
const SESSIONS = Math.ceil(STREAMS / STREAMS_PER_SESSION)
/** Other calls per second, proxied to an upstream that answers at once. */
const RATE = 200
const OTHERS_SECONDS = 10
const OTHERS_GOAL = 1.3

const customerOf = (number: number) => `c-${DEVICES}x${number + 1}`
const EVENTS = '/api/portal/v1/events'

export const live: Benchmark = { name: 'live', weight: 2, alone: true, run }

interface Setup {
  bench: Bench
  scene: Scene
  streams: Program
}

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: SESSIONS })
  await scene.inventory.ask('prepareCustomers', { devices: DEVICES, customers: CUSTOMERS })
  const setup = { bench, scene, streams: startProgram(bench, 'programs/streams.ts') }
  bench.print(`${await delayOfOpened(setup)}\n`)
  bench.print(`${await delayOfListed(setup)}\n`)
  bench.print(`${await upstreamCalls(setup)}\n`)
  bench.print(await manyStreams(setup))
}

/** Runs a part with a gateway of its own, and closes its streams. */
async function withGateway<T>(
  { scene, streams }: Setup,
  measure: (gateway: Server) => Promise<T>
): Promise<T> {
  const gateway = await scene.startGateway({ CALLS_IN_FLIGHT: '1000' })
  const figures = await measure(gateway)
  await streams.ask('close')
  await gateway.stop()
  return figures
}

async function delayOfOpened(setup: Setup): Promise<string> {
  const calls = setup.scene
    .callsOf((person) => `${EVENTS}?customerId=${customerOf(person)}`)
    .slice(0, OPENED_CUSTOMERS)
  const ids = Array.from({ length: ALARMS }, (_, number) => customerOf(number % OPENED_CUSTOMERS))
  return delayTable(
    'an opened customer',
    'opened',
    await raiseAll(setup, calls, ids, ARRIVING_SECONDS.opened)
  )
}

async function delayOfListed(setup: Setup): Promise<string> {
  const calls = setup.scene.callsOf(() => `${EVENTS}?organizationId=7`).slice(0, 1)
  const ids = Array.from({ length: ALARMS }, (_, number) => customerOf(number % CUSTOMERS))
  const delaysMs = await raiseAll(setup, calls, ids, ARRIVING_SECONDS.listed)
  return delayTable(`a list of ${CUSTOMERS}`, 'listed', delaysMs)
}

function delayTable(title: string, kind: keyof typeof GOAL_SECONDS, delaysMs: readonly number[]): string {
  const cell = (q: number) => (quantile(delaysMs, q) / 1000).toFixed(1)
  const row = [title, cell(0.5), cell(0.95), cell(1), GOAL_SECONDS[kind], ALARMS - delaysMs.length]
  return table(
    [`seconds from ${ALARMS} alarms to their events`, 'p50', 'p95', 'max', 'goal', 'missed'],
    [row]
  )
}

/** Opens the streams, and raises the alarms once every customer has been read. */
function raiseAll(
  setup: Setup,
  calls: readonly Call[],
  customerIds: readonly string[],
  arrivingSeconds: number
): Promise<number[]> {
  return withGateway(setup, async ({ origin }) => {
    await setup.streams.ask('open', { origin, calls })
    await wait(arrivingSeconds * 1000)
    return raiseAlarms(setup, customerIds, { raisingSeconds: RAISING_SECONDS, arrivingSeconds })
  })
}

async function upstreamCalls(setup: Setup): Promise<string> {
  const { scene, streams } = setup
  const rows = []
  for (const viewers of VIEWERS) {
    const calls = scene
      .callsOf(() => `${EVENTS}?customerId=${customerOf(0)}&organizationId=7`)
      .slice(0, viewers)
    const count = await withGateway(setup, async ({ origin }) => {
      await streams.ask('open', { origin, calls })
      await wait(ARRIVING_SECONDS.opened * 1000)
      await scene.inventory.ask('calls')
      await wait(COUNTED_SECONDS * 1000)
      return scene.inventory.ask<number>('calls')
    })
    rows.push([viewers, Math.round((count * 60) / COUNTED_SECONDS), viewers * SEARCHES_BEFORE])
  }
  const head = [
    'viewers of a customer and a list',
    'upstream calls a minute',
    'alarm searches without streams'
  ]
  return table(head, rows)
}

type Kind = 'quiet' | 'streams'

async function manyStreams(setup: Setup): Promise<string> {
  const { bench, scene, streams } = setup
  const load = await startLoad(
    bench,
    scene.callsOf(() => `/api/v1/recover/customers/c-${DEVICES}x1/backups`).slice(0, 20)
  )
  const calls = Array.from({ length: STREAMS_PER_SESSION }, (_, number) =>
    scene.callsOf((person) => `${EVENTS}?customerId=${customerOf((person + number) % CUSTOMERS)}`)
  ).flat()
  const gateway = await scene.startGateway({ CALLS_IN_FLIGHT: '1000' })
  await load.paced(gateway.origin, RATE, 2)
  const before = await gateway.ask<Memory>('memory')
  let memory = before
  let blockedMs = 0
  let lostCount = 0
  const take = async (kind: Kind): Promise<Others> => {
    if (kind === 'streams')
      await streams.ask('open', { origin: gateway.origin, calls: calls.slice(0, STREAMS) })
    await wait(kind === 'streams' ? 5_000 : 1_000)
    await gateway.ask('watch')
    const others = othersOf(await load.paced(gateway.origin, RATE, OTHERS_SECONDS))
    const usage = await gateway.ask<Usage>('watched')
    if (kind === 'quiet') return others
    memory = await gateway.ask<Memory>('memory')
    blockedMs = Math.max(blockedMs, usage.heldWallMs)
    const { lost } = await streams.ask<{ lost: number }>('arrivals')
    lostCount += lost
    await streams.ask('close')
    return others
  }
  const kinds = ['quiet', 'streams'] as const
  const seconds = bench.seconds / 3
  const rounds = await takeRounds<Kind, Others>(kinds, take, { seconds, atLeast: 2, atMost: 6 })
  await gateway.stop()
  const perStream = (of: (memory: Memory) => number) =>
    `${((of(memory) - of(before)) / STREAMS / 1024).toFixed(1)} KB`
  const p99 = middle(rounds, 'streams', (others) => others.p99).toFixed(2)
  return `${othersTable(`${STREAMS} streams: others' proxied calls, ${RATE}/s`, OTHERS_GOAL, kinds, rounds)}

${table(
  [`${STREAMS} streams`, 'heap per stream', 'RSS per stream', 'longest block ms', "others' p99 ms", 'lost'],
  [
    [
      'all customers opened',
      perStream(({ heapBytes }) => heapBytes),
      perStream(({ rssBytes }) => rssBytes),
      blockedMs.toFixed(0),
      p99,
      lostCount
    ]
  ]
)}`
}
