// Measures the counts of the start page for 45 and 200 customers of 100 devices: time until complete, counts after a restart,
// upstream calls, and the delay of other calls. Each turn starts a gateway.
import { setTimeout as wait } from 'node:timers/promises'
import type { AttentionList } from '#shared/answers/portal.ts'
import { table } from './figures.ts'
import {
  type Bench,
  type Benchmark,
  middle,
  type Others,
  othersOf,
  othersTable,
  takeRounds
} from './frame.ts'
import { get, startLoad, startScene } from './scene.ts'

const SIZES = [45, 200] as const
/** Devices of each customer. 60 of them have a plan, so 200 customers need about 13,000 upstream calls. */
const DEVICES = 100
const FIRST_SCREEN_CUSTOMERS = 20
/** Other calls per second, proxied to an upstream that answers at once. */
const RATE = 200
const WARM_UP_SECONDS = 2
const POLL_MS = 250
const GOAL_SECONDS: Record<number, number> = { [FIRST_SCREEN_CUSTOMERS]: 2, 45: 5, 200: 20 }
const OTHERS_GOAL = 1.3
const PATH = '/api/portal/v1/organizations/7/attention'

const KINDS = ['quiet', ...SIZES] as const
type Kind = 'quiet' | '45' | '200'

interface Turn extends Others {
  /** Seconds until the counts of the first screen (and of all customers) are complete; infinite if not reached in time. */
  firstScreen: number
  all: number
  complete: number
  upstreamCalls: number
  /** Customers with complete counts in the first answer of a restarted gateway. */
  afterRestart: number
  afterRestartMs: number
}

export const attention: Benchmark = { name: 'attention', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: 20 })
  const load = await startLoad(
    bench,
    scene.callsOf(() => `/api/v1/recover/customers/c-${DEVICES}x1/backups`)
  )
  const [attentionCall] = scene.callsOf(() => PATH)
  const kinds = KINDS.map(String) as Kind[]
  const seconds = Math.max(3, bench.seconds / kinds.length - WARM_UP_SECONDS)

  async function take(kind: Kind): Promise<Turn> {
    const customers = kind === 'quiet' ? SIZES[0] : Number(kind)
    await scene.inventory.ask('prepareCustomers', { devices: DEVICES, customers })
    const settings = { CALLS_IN_FLIGHT: '1000' }
    const gateway = await scene.startGateway(settings)
    const ask = async (origin: string, sinceMs = 0) => {
      const { body, ms } = await get(origin, attentionCall ?? { path: PATH, headers: {} })
      const { items } = JSON.parse(Buffer.from(body).toString()) as AttentionList
      return { complete: items.filter((item) => isComplete(item, sinceMs)).length, ms }
    }
    await load.paced(gateway.origin, RATE, WARM_UP_SECONDS)
    await scene.inventory.ask('calls')
    const startedAt = Date.now()
    let [firstScreen, all, complete] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
    const elapsedSeconds = () => (Date.now() - startedAt) / 1000
    const pollLoop = (async () => {
      while (kind !== 'quiet' && all === Number.POSITIVE_INFINITY && elapsedSeconds() < seconds) {
        complete = (await ask(gateway.origin, startedAt)).complete
        const elapsed = elapsedSeconds()
        if (complete >= FIRST_SCREEN_CUSTOMERS) firstScreen = Math.min(firstScreen, elapsed)
        if (complete === customers) all = elapsed
        await wait(POLL_MS)
      }
    })()
    const others = othersOf(await load.paced(gateway.origin, RATE, seconds))
    await pollLoop
    const upstreamCalls = await scene.inventory.ask<number>('calls')
    await gateway.stop()
    const newGateway = await scene.startGateway(settings)
    const firstAnswer = kind === 'quiet' ? { complete: 0, ms: 0 } : await ask(newGateway.origin)
    await newGateway.stop()
    return {
      ...others,
      firstScreen,
      all,
      complete,
      upstreamCalls,
      afterRestart: firstAnswer.complete,
      afterRestartMs: firstAnswer.ms
    }
  }

  const rounds = await takeRounds(kinds, take, { seconds: bench.seconds, atLeast: 1, atMost: 5 })
  bench.print(`${othersTable(`proxied calls, ${RATE}/s`, OTHERS_GOAL, kinds, rounds)}\n`)
  const rows = SIZES.map((size) => {
    const cell = (figure: (turn: Turn) => number, digits = 0) =>
      middle(rounds, `${size}`, figure).toFixed(digits)
    return [
      size,
      cell(({ firstScreen }) => firstScreen, 1),
      cell(({ all }) => all, 1),
      `${GOAL_SECONDS[FIRST_SCREEN_CUSTOMERS]}, ${GOAL_SECONDS[size]}`,
      cell(({ complete }) => complete),
      cell(({ upstreamCalls }) => upstreamCalls),
      cell(({ afterRestart }) => afterRestart),
      cell(({ afterRestartMs }) => afterRestartMs)
    ]
  })
  const head = [
    'customers',
    `s until ${FIRST_SCREEN_CUSTOMERS} are complete`,
    's until all are complete',
    'goals in s',
    `complete after ${seconds.toFixed(0)} s`
  ]
  bench.print(table([...head, 'upstream calls', 'complete after a restart', 'first answer ms'], rows))
}

/** Returns whether all counts are known and read after `sinceMs`; an earlier turn may have stored older counts. */
export const isComplete = ({ counts, partial }: AttentionList['items'][number], sinceMs: number) =>
  partial.length === 0 &&
  Object.values(counts).every(
    (count) => count && (count.unread ?? 0) === 0 && Date.parse(count.readAt) >= sinceMs
  )
