// One caller misbehaves, in several ways: what that does to the calls of others, to the same APIs. Each way has a turn in
// each round, and is compared with the quiet turn of that round, so that what else the machine does meets all alike.
import { setTimeout as wait } from 'node:timers/promises'
import { OTHER_CORE } from './cores.ts'
import { latencyOf, median, table } from './figures.ts'
import { startProgram } from './program.ts'
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
/** Until the first calls of a way have arrived; and until what it took is free again. */
const BEGIN_MS = 300
const END_MS = 300
const WARM_UP_SECONDS = 3
/** The others' p99 while one caller misbehaves, beside that of the quiet turn. */
const GOAL = 1.2

interface Turn {
  p50: number
  p99: number
  /** Statuses other than 200. */
  failed: number[]
}
type Round = Record<Way | 'quiet', Turn>

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
  const origin = around.gatewayOrigin
  const perTurnMs = (bench.seconds * 1000) / (ROUNDS_MIN * (WAYS.length + 1)) - BEGIN_MS - END_MS
  const count = Math.max(1, Math.min(CALLS, Math.floor((perTurnMs * RATE) / 1000)))

  const turn = async (calls = count): Promise<Turn> => {
    const given: PacedLoad = { origin, rate: RATE, count: calls, seconds: calls / RATE + 10 }
    const answered = await load.ask<Answered[]>('paced', given)
    const failed = answered.map(({ status }) => status).filter((status) => status !== 200)
    return { ...latencyOf(answered.map(({ ms }) => ms)), failed }
  }

  await turn(RATE * WARM_UP_SECONDS)
  const rounds: Round[] = []
  const statuses = new Map<Way, Record<string, number>>()
  const until = performance.now() + bench.seconds * 1000
  const roundMs = ((count / RATE) * 1000 + BEGIN_MS + END_MS) * (WAYS.length + 1)
  while (rounds.length < ROUNDS_MIN || performance.now() + roundMs < until) {
    const round: Partial<Round> = { quiet: await turn() }
    for (const way of WAYS) {
      const given: Misbehaviour = { origin, headers: one?.headers ?? {}, way }
      await caller.ask('begin', given)
      await wait(BEGIN_MS)
      round[way] = await turn()
      statuses.set(way, await caller.ask('end'))
      await wait(END_MS)
    }
    rounds.push(round as Round)
  }
  bench.print(tableOf(rounds, statuses, count))
}

/** Of the same APIs that the one caller takes for itself, and of another. */
const PATHS: readonly ((customer: number) => string)[] = [
  (customer) => `/api/v2/management/organizations/${customer}/projects?page=0&size=20`,
  (customer) => `/api/v1/recover/customers/${customer}/backups`,
  (customer) => `/api/v1/recover/customers/${customer}/backups/b-1/download`,
  (customer) => `/api/v1/charts-and-reports/${customer}/reports`
]
const customerOf = (index: number) => 1000 + (index % 200)

function tableOf(rounds: Round[], statuses: Map<Way, Record<string, number>>, count: number): string {
  const row = (name: Way | 'quiet') => {
    const turns = rounds.map((round) => round[name])
    const ratios = rounds.map((round) => round[name].p99 / round.quiet.p99)
    const told = name === 'quiet' ? {} : (statuses.get(name) ?? {})
    return [
      name,
      median(turns.map(({ p50 }) => p50)).toFixed(2),
      median(turns.map(({ p99 }) => p99)).toFixed(2),
      ratios.map((ratio) => ratio.toFixed(2)).join(' '),
      median(ratios).toFixed(2),
      say(countBy(turns.flatMap(({ failed }) => failed))),
      say(told)
    ]
  }
  const head = [
    `others: ${rounds.length} rounds, ${count} calls a turn, ${RATE}/s`,
    'p50 ms',
    'p99 ms',
    'p99 / quiet, each round',
    `median (goal ${GOAL})`,
    'failed',
    'the one caller was answered'
  ]
  return table(head, (['quiet', ...WAYS] as const).map(row))
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
