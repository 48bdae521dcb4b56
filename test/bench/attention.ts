// Measures the counts of the start page, and the lists behind them, for 45 and 200 customers of 100 devices: time until complete,
// counts after a restart, upstream calls, pages and files of the lists, and the delay of other calls. Each turn starts a gateway.
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
  type Rounds,
  takeRounds
} from './frame.ts'
import type { Call } from './programs/load.ts'
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
const BASE = '/api/portal/v1/organizations/7'
const PATH = `${BASE}/attention`
/** The lists, each with an order that no earlier call has sorted. */
const LISTS = {
  services: `${BASE}/worklists/services?sort=deviceName`,
  plans: `${BASE}/worklists/plans?sort=customer`,
  backups: `${BASE}/worklists/backups?sort=projectName`,
  devices: `${BASE}/devices?sort=hostId`
}
type ListName = keyof typeof LISTS
const LIST_NAMES = Object.keys(LISTS) as ListName[]
const LIST_SECONDS = 5
const LIST_GOAL_MS = 300

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
  lists: Partial<Record<ListName, ListFigures>>
  /** The others' figures while somebody goes through the lists. */
  besideLists: Others
}

interface ListFigures {
  rows: number
  /** Seconds until every customer is in the list. */
  completeSeconds: number
  /** A page in an order that is sorted for it, and the next page. */
  firstPageMs: number
  nextPageMs: number
  csvMs: number
}

export const attention: Benchmark = { name: 'attention', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: 20 })
  const load = await startLoad(
    bench,
    scene.callsOf(() => `/api/v1/recover/customers/c-${DEVICES}x1/backups`)
  )
  const [attentionCall] = scene.callsOf(() => PATH)
  const listCalls = Object.fromEntries(
    LIST_NAMES.map((name) => [name, scene.callsOf(() => LISTS[name])[0]])
  ) as Record<ListName, Call>
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
    const lists: Turn['lists'] = {}
    const goThroughLists = async () => {
      for (const name of kind === 'quiet' ? [] : LIST_NAMES)
        lists[name] = await measureList(gateway.origin, listCalls[name])
    }
    const [besideLists] = await Promise.all([
      load.paced(gateway.origin, RATE, LIST_SECONDS).then(othersOf),
      goThroughLists()
    ])
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
      afterRestartMs: firstAnswer.ms,
      lists,
      besideLists
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
  printLists(bench, kinds, rounds)
}

type ListAnswer = { partial: unknown[]; page: { totalElements: number } }

async function measureList(origin: string, call: Call): Promise<ListFigures> {
  const ask = async (query: string, headers: Record<string, string> = {}) =>
    get(origin, { path: call.path + query, headers: { ...call.headers, ...headers } })
  const startedAt = performance.now()
  let rows = 0
  for (;;) {
    // Ascending, so that the pages below are sorted for the first time.
    const { body } = await ask('&size=1')
    const { partial, page } = JSON.parse(Buffer.from(body).toString()) as ListAnswer
    rows = page.totalElements
    if (partial.length === 0) break
    await wait(POLL_MS)
  }
  const completeSeconds = (performance.now() - startedAt) / 1000
  const { ms: firstPageMs } = await ask('&order=desc')
  const { ms: nextPageMs } = await ask('&order=desc&page=1')
  const { ms: csvMs } = await ask('&order=desc', { accept: 'text/csv' })
  return { rows, completeSeconds, firstPageMs, nextPageMs, csvMs }
}

function printLists(bench: Bench, kinds: Kind[], rounds: Rounds<Kind, Turn>): void {
  const beside = rounds.map((round) => mapKinds(round, ({ besideLists }) => besideLists))
  bench.print(`\n${othersTable('proxied calls beside the lists', OTHERS_GOAL, kinds, beside)}\n`)
  const rows = SIZES.flatMap((size) =>
    LIST_NAMES.map((name) => {
      const cell = (figure: (list: ListFigures) => number, digits = 0) =>
        middle(rounds, `${size}`, ({ lists }) => {
          const list = lists[name]
          return list ? figure(list) : Number.NaN
        }).toFixed(digits)
      return [
        size,
        name,
        cell((list) => list.rows),
        cell((list) => list.completeSeconds, 1),
        cell((list) => list.firstPageMs),
        cell((list) => list.nextPageMs),
        LIST_GOAL_MS,
        cell((list) => list.csvMs)
      ]
    })
  )
  const head = [
    'customers',
    'list',
    'rows',
    's until complete',
    'first page ms',
    'next page ms',
    'goal ms',
    'CSV ms'
  ]
  bench.print(table(head, rows))
}

const mapKinds = (round: Readonly<Record<Kind, Turn>>, of: (turn: Turn) => Others) =>
  Object.fromEntries(Object.entries(round).map(([kind, turn]) => [kind, of(turn)])) as Record<Kind, Others>

/** Returns whether all counts are known and read after `sinceMs`; an earlier turn may have stored older counts. */
export const isComplete = ({ counts, partial }: AttentionList['items'][number], sinceMs: number) =>
  partial.length === 0 &&
  Object.values(counts).every(
    (count) => count && (count.unread ?? 0) === 0 && Date.parse(count.readAt) >= sinceMs
  )
