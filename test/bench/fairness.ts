// One caller misbehaves, in several ways: what that does to the calls of others, to the same APIs. Each way has a turn in
// each round, and is compared with the quiet turn of that round, so that what else the machine does meets all alike.
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#test/support/portal.ts'
import { OTHER_CORE, SERVER_CORE } from './cores.ts'
import { latencyOf, median, table } from './figures.ts'
import { startProgram, startServer } from './program.ts'
import type { Answered, PacedLoad } from './programs/load.ts'
import type { Misbehaviour, Way } from './programs/misbehave.ts'
import type { Bench, Benchmark } from './run.ts'
import { startSurroundings } from './surroundings.ts'

const WAYS: readonly Way[] = [
  'answers left unread',
  'files left unread',
  'calls that hang',
  'slow bodies',
  'bodies of 1 MiB'
]
/** Calls of others, a second and in each turn. */
const RATE = 500
const CALLS = 2_000
const ROUNDS_MIN = 5
/**
 * Calls of others while a way begins, told apart: of each answer that is left unread the systems at both ends take some
 * megabytes at first, as of one that is read; what lasts is the turn.
 */
const BEGIN_CALLS = 500
/** Until what a way took is free again. */
const END_MS = 300
const BEGIN_MS = (BEGIN_CALLS / RATE) * 1000
/** Of each kind of turn, before the first that counts: code that runs for the first time is slow. */
const WARM_UP_CALLS = 500
/** The others' p99 while one caller misbehaves, beside that of the quiet turn. */
const GOAL = 1.2
/** What the burst does by itself, and by the client that makes it on this machine, a server shows that does nothing else. */
const AT_BARE = 'calls that hang'

type Name = Way | 'quiet' | 'bare quiet' | 'bare burst'

interface Turn {
  /** While the way began; null without one. */
  beginP99: number | null
  p50: number
  p99: number
  /** Statuses of those that were refused or not answered. */
  failed: number[]
  /** How often the one caller was answered with each status. */
  told: Record<string, number>
}

interface TurnOf {
  name: Name
  at: string
  way?: Way
  /** The turn that it is compared with. */
  beside?: Name
}

type Round = ReadonlyMap<Name, Turn>

export const fairness: Benchmark = { name: 'fairness', weight: 1, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const around = await startSurroundings(bench)
  const [one, ...others] = around.calls
  const load = await around.load(
    others.map(({ headers }, index) => ({
      headers,
      path: PATHS[index % PATHS.length]?.(customerOf(index)) ?? ''
    }))
  )
  const caller = startProgram('programs/misbehave.ts', { core: OTHER_CORE })
  bench.teardown(() => caller.stop())
  const gateway = around.gatewayOrigin
  const bare = await startBareServer(bench)
  const turns: readonly TurnOf[] = [
    { name: 'quiet', at: gateway },
    ...WAYS.map((way) => ({ name: way, at: gateway, way, beside: 'quiet' as const })),
    { name: 'bare quiet', at: bare },
    { name: 'bare burst', at: bare, way: AT_BARE, beside: 'bare quiet' }
  ]

  async function take({ at: origin, way }: TurnOf, count: number): Promise<Turn> {
    const call = (calls: number) => {
      const given: PacedLoad = { origin, rate: RATE, count: calls, seconds: calls / RATE + 10 }
      return load.ask<Answered[]>('paced', given)
    }
    const begun: Answered[] = []
    if (way !== undefined) {
      await caller.ask('begin', { origin, headers: one?.headers ?? {}, way } satisfies Misbehaviour)
      begun.push(...(await call(BEGIN_CALLS)))
    }
    const answered = await call(count)
    const told = way === undefined ? {} : await caller.ask<Record<string, number>>('end')
    await wait(END_MS)
    const failed = [...begun, ...answered]
      .map(({ status }) => status)
      .filter((status) => status < 200 || status >= 400)
    const beginP99 = begun.length === 0 ? null : latencyOf(begun.map(({ ms }) => ms)).p99
    return { beginP99, ...latencyOf(answered.map(({ ms }) => ms)), failed, told }
  }

  for (const turn of turns) await take(turn, WARM_UP_CALLS)
  const roundMs = (bench.seconds * 1000) / ROUNDS_MIN
  const perTurnMs = roundMs / turns.length - BEGIN_MS - END_MS
  const count = Math.max(1, Math.min(CALLS, Math.floor((perTurnMs * RATE) / 1000)))
  const rounds: Round[] = []
  const until = performance.now() + bench.seconds * 1000
  while (rounds.length < ROUNDS_MIN || performance.now() + roundMs < until) {
    const round = new Map<Name, Turn>()
    for (const turn of turns) round.set(turn.name, await take(turn, count))
    rounds.push(round)
  }
  bench.print(tableOf(turns, rounds, count))
  const seconds = Math.ceil((ROUNDS_MIN * turns.length * ((CALLS / RATE) * 1000 + BEGIN_MS + END_MS)) / 1000)
  if (count < CALLS)
    bench.print(`Turns of fewer than ${CALLS} calls: a p99 rests on few. BENCH_SECONDS=${seconds} fits them.`)
}

/** Answers as the upstream does, and does nothing else: on the core that the gateway has in its turns. */
async function startBareServer(bench: Bench): Promise<string> {
  const port = await freePort()
  const program = await startServer('programs/upstream.ts', port, { core: SERVER_CORE })
  bench.teardown(() => program.stop())
  return `http://127.0.0.1:${port}`
}

/** Of the same APIs that the one caller takes for itself, and of another. */
const PATHS: readonly ((customer: number) => string)[] = [
  (customer) => `/api/v2/management/organizations/${customer}/projects?page=0&size=20`,
  (customer) => `/api/v1/recover/customers/${customer}/backups`,
  (customer) => `/api/v1/recover/customers/${customer}/backups/b-1/download`,
  (customer) => `/api/v1/charts-and-reports/${customer}/reports`
]
const customerOf = (index: number) => 1000 + (index % 200)

function tableOf(turns: readonly TurnOf[], rounds: readonly Round[], count: number): string {
  const row = ({ name, beside }: TurnOf) => {
    const of = (one: Name) => rounds.map((round) => round.get(one) as Turn)
    const own = of(name)
    const compared = beside === undefined ? [] : of(beside)
    const ratios = compared.map(({ p99 }, index) => (own[index] as Turn).p99 / p99)
    return [
      LABELS[name] ?? name,
      beside === undefined ? '' : median(own.map(({ beginP99 }) => beginP99 ?? 0)).toFixed(2),
      median(own.map(({ p50 }) => p50)).toFixed(2),
      median(own.map(({ p99 }) => p99)).toFixed(2),
      ratios.map((ratio) => ratio.toFixed(2)).join(' '),
      ratios.length === 0 ? '' : median(ratios).toFixed(2),
      say(countBy(own.flatMap(({ failed }) => failed))),
      say(own.at(-1)?.told ?? {})
    ]
  }
  const head = [
    `others: ${rounds.length} rounds, ${count} calls a turn, ${RATE}/s`,
    'p99 ms as it begins',
    'p50 ms',
    'p99 ms',
    'p99 / quiet, each round',
    `median (goal ${GOAL})`,
    'failed',
    'the one caller was answered'
  ]
  return table(head, turns.map(row))
}

const LABELS: Partial<Record<Name, string>> = {
  'bare quiet': 'quiet, at a bare server',
  'bare burst': `${AT_BARE}, at a bare server`
}

function countBy(statuses: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const say = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
