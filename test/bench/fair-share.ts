// Measures what one person can do to others: a person with 10,000 sessions lists them eight times at once, and an upstream hangs
// for eight people while the counts of another person are read. Quiet turns and attacks alternate; each starts a gateway.
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { AttentionList } from '#shared/answers/portal.ts'
import { isComplete } from './attention.ts'
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
import type { Server } from './program.ts'
import type { Call } from './programs/load.ts'
import { FIRST_WITH_OWN_ROLES } from './programs/person.ts'
import { get, type Load, type Scene, startLoad, startScene } from './scene.ts'

/** Other calls per second, proxied to an upstream that answers at once. */
const RATE = 200
const WARM_UP_SECONDS = 2
const OTHERS_GOAL = 1.5
const ROUNDS_MIN = 2

const SESSIONS = 10_000
const LISTS_AT_ONCE = 8
/** Pause after a refused list: refused calls without a pause would only measure how fast a server refuses calls. */
const REFUSED_PAUSE_MS = 100
/** Half of the minute for which calls are counted. */
const LIST_SECONDS = 30

const TENANTS = 8
const CUSTOMERS = 45
/** Devices of each customer. */
const DEVICES = 100
const READING_SECONDS = 25
const POLL_MS = 250
const ATTENTION = '/api/portal/v1/organizations/7/attention'

interface Setup {
  bench: Bench
  scene: Scene
  load: Load
}

export const fairShare: Benchmark = { name: 'fair-share', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: 20 })
  await scene.inventory.ask('prepareCustomers', { devices: DEVICES, customers: CUSTOMERS })
  const load = await startLoad(
    bench,
    scene.callsOf(() => `/api/v1/recover/customers/c-${DEVICES}x1/backups`)
  )
  const setup = { bench, scene, load }
  bench.print(`${await hoardedSessions(setup)}\n`)
  bench.print(await hangingTenants(setup))
}

/** Runs a turn with a gateway of its own, because limits per minute and counts in memory would outlast the turn. */
async function withGateway<T>({ scene, load }: Setup, measure: (gateway: Server) => Promise<T>): Promise<T> {
  const gateway = await scene.startGateway({ CALLS_IN_FLIGHT: '1000' })
  await load.paced(gateway.origin, RATE, WARM_UP_SECONDS)
  const figures = await measure(gateway)
  await gateway.stop()
  return figures
}

interface Lists {
  answered: number
  refused: number
  /** Calls that failed or were answered 503. */
  failed: number
  /** The number of sessions in a list. */
  listed: number
}

const LIST_KINDS = ['quiet', 'eight lists at once'] as const

async function hoardedSessions(setup: Setup): Promise<string> {
  const { bench, scene, load } = setup
  const person = String(FIRST_WITH_OWN_ROLES)
  const [call] = scene.callsOf(() => '/auth/sessions', await scene.signIn([person]))
  if (call === undefined) throw new Error('nobody signed in')
  await scene.hoard(person, SESSIONS)
  const lists: Lists = { answered: 0, refused: 0, failed: 0, listed: 0 }
  const take = (kind: (typeof LIST_KINDS)[number]) =>
    withGateway(setup, async ({ origin }) => {
      const aborter = new AbortController()
      const count = kind === 'quiet' ? 0 : LISTS_AT_ONCE
      const listers = Array.from({ length: count }, () => keepListing(origin, call, lists, aborter.signal))
      const answers = await load.paced(origin, RATE, LIST_SECONDS)
      aborter.abort()
      await Promise.all(listers)
      return othersOf(answers)
    })
  const seconds = bench.seconds * 0.3
  const rounds = await takeRounds(LIST_KINDS, take, { seconds, atLeast: ROUNDS_MIN })
  const title = `${SESSIONS} sessions of one person: others' proxied calls, ${RATE}/s`
  const { answered, refused, failed, listed } = lists
  return `${othersTable(title, OTHERS_GOAL, LIST_KINDS, rounds)}
Lists in ${rounds.length} attacks of ${LIST_SECONDS} s: ${answered} of up to ${listed} sessions, ${refused} refused with 429, ${failed} failed.`
}

async function keepListing(origin: string, call: Call, lists: Lists, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { status, text } = await request(origin + call.path, { headers: call.headers }).then(
      async ({ statusCode, body }) => ({ status: statusCode, text: await body.text() }),
      () => ({ status: 0, text: '' })
    )
    if (status === 200) {
      lists.answered += 1
      lists.listed = Math.max(lists.listed, JSON.parse(text).sessions.length)
      continue
    }
    if (status === 429) lists.refused += 1
    else lists.failed += 1
    await wait(REFUSED_PAUSE_MS)
  }
}

interface Reading extends Others {
  /** Customers whose counts are complete after READING_SECONDS. */
  complete: number
}

const HANG_KINDS = ['quiet', 'hangs for eight people'] as const

async function hangingTenants(setup: Setup): Promise<string> {
  const { bench, scene, load } = setup
  const people = Array.from({ length: TENANTS }, (_, index) => String(FIRST_WITH_OWN_ROLES + 1 + index))
  const tenantCalls = scene.callsOf(() => ATTENTION, await scene.signIn(people))
  const [otherCall] = scene.callsOf(() => ATTENTION)
  if (otherCall === undefined) throw new Error('nobody signed in')
  const take = async (kind: (typeof HANG_KINDS)[number]): Promise<Reading> => {
    await scene.inventory.ask('hang', { people: kind === 'quiet' ? [] : people })
    return withGateway(setup, async ({ origin }) => {
      if (kind !== 'quiet') await Promise.all(tenantCalls.map((call) => get(origin, call)))
      const startedAt = Date.now()
      const readings = pollCounts(origin, otherCall, startedAt)
      const others = othersOf(await load.paced(origin, RATE, READING_SECONDS))
      return { ...others, complete: await readings }
    })
  }
  const seconds = bench.seconds * 0.7
  const rounds = await takeRounds(HANG_KINDS, take, { seconds, atLeast: ROUNDS_MIN })
  const title = `an upstream hangs for ${TENANTS} people: others' proxied calls, ${RATE}/s`
  return `${othersTable(title, OTHERS_GOAL, HANG_KINDS, rounds)}\n\n${readTable(rounds)}`
}

/** Polls the counts of a person, as the start page does. Returns the number of customers that are complete at the end. */
async function pollCounts(origin: string, call: Call, startedAt: number): Promise<number> {
  let complete = 0
  while (Date.now() - startedAt < READING_SECONDS * 1000 && complete < CUSTOMERS) {
    const { items } = JSON.parse(Buffer.from((await get(origin, call)).body).toString()) as AttentionList
    complete = items.filter((item) => isComplete(item, startedAt)).length
    await wait(POLL_MS)
  }
  return complete
}

function readTable(rounds: Rounds<(typeof HANG_KINDS)[number], Reading>): string {
  const rows = HANG_KINDS.map((kind) => [
    kind,
    middle(rounds, kind, ({ complete }) => complete),
    rounds.map((round) => round[kind].complete).join(' ')
  ])
  return table(
    [`customers of another person, of ${CUSTOMERS}`, `complete in ${READING_SECONDS} s`, 'rounds'],
    rows
  )
}
