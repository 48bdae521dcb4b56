// One caller misbehaves, in several ways: what that does to the calls of others, to the same APIs.
import { setTimeout as wait } from 'node:timers/promises'
import { SERVER_CORE } from './cores.ts'
import { type Bench, type Benchmark, type Others, othersOf, othersTable, takeRounds } from './frame.ts'
import { startProgram, startServer } from './program.ts'
import type { Misbehaviour, Way } from './programs/misbehave.ts'
import { startLoad, startScene } from './scene.ts'

const WITHOUT_ROLE: Way = 'bodies of somebody without a role'
const WAYS: readonly Way[] = [
  'answers left unread',
  'files left unread',
  'calls that hang',
  'slow bodies',
  'bodies of 1 MiB',
  WITHOUT_ROLE,
  'large answers to parse',
  'attention asked for all the time'
]
const QUIET = 'quiet'
const BARE_QUIET = 'quiet, at a bare server'
const BARE = 'calls that hang, at a bare server'
const KINDS = [QUIET, ...WAYS, BARE_QUIET, BARE] as const
type Kind = (typeof KINDS)[number]

const PEOPLE = 2_000
/** Others' calls a second. */
const RATE = 500
const TURN_SECONDS_MAX = 4
const ROUNDS_MIN = 3
const BEGIN_SECONDS = 1
const END_MS = 300
const GOAL = 1.5
const CUSTOMERS = { devices: 2_000, customers: 45 }

type Turn = Others & { statuses: Record<string, number> }

export const fairness: Benchmark = { name: 'fairness', weight: 1, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: PEOPLE })
  await scene.inventory.ask('prepareCustomers', CUSTOMERS)
  const upstreams = ['DEVICEMANAGEMENT', 'RECOVER', 'CHARTS_AND_REPORTS', 'ALARMS', 'CONTROL']
  const own = upstreams.map((name) => [`UPSTREAM_${name}_URL`, scene.plain.origin])
  const gateway = await scene.startGateway(Object.fromEntries(own))
  const bare = await startServer(bench, 'programs/upstream.ts', { core: SERVER_CORE })
  const [one, ...others] = scene.callsOf(
    (person) => PATHS[person % PATHS.length]?.(1000 + (person % 200)) ?? ''
  )
  const load = await startLoad(bench, others)
  const caller = startProgram(bench, 'programs/misbehave.ts')

  async function take(kind: Kind, seconds: number): Promise<Turn> {
    const { origin } = kind === BARE || kind === BARE_QUIET ? bare : gateway
    const way = kind === BARE ? 'calls that hang' : WAYS.find((one) => one === kind)
    if (way === undefined) return { ...othersOf(await load.paced(origin, RATE, seconds)), statuses: {} }
    const headers = { ...one?.headers, ...(way === WITHOUT_ROLE ? { cookie: scene.nobody } : {}) }
    await caller.ask('begin', { origin, headers, way } satisfies Misbehaviour)
    await load.paced(origin, RATE, BEGIN_SECONDS)
    const answered = await load.paced(origin, RATE, seconds)
    const statuses = await caller.ask<Record<string, number>>('end')
    await wait(END_MS)
    return { ...othersOf(answered), statuses }
  }

  // Code that runs for the first time is slow.
  for (const kind of KINDS) await take(kind, 0.5)
  const perTurn = bench.seconds / ROUNDS_MIN / KINDS.length - BEGIN_SECONDS - END_MS / 1000
  const seconds = Math.max(0.5, Math.min(TURN_SECONDS_MAX, perTurn))
  const rounds = await takeRounds(KINDS, (kind) => take(kind, seconds), {
    seconds: bench.seconds,
    atLeast: ROUNDS_MIN
  })
  const statuses = (kind: Kind) =>
    Object.entries(rounds.at(-1)?.[kind].statuses ?? {})
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ')
  bench.print(
    othersTable(KINDS, rounds, {
      title: `others, ${RATE}/s, ${seconds.toFixed(1)} s a turn`,
      quiet: (kind) =>
        kind === BARE ? BARE_QUIET : kind === QUIET || kind === BARE_QUIET ? undefined : QUIET,
      goal: GOAL,
      more: { 'the one caller was answered': statuses },
      of: (turn) => turn
    })
  )
}

const PATHS: readonly ((customer: number) => string)[] = [
  () => `/api/v2/management/organizations/c-${CUSTOMERS.devices}x1/projects?page=0&size=1000`,
  (customer) => `/api/v1/recover/customers/${customer}/backups`,
  (customer) => `/api/v1/recover/customers/${customer}/backups/b-1/download`,
  (customer) => `/api/v1/charts-and-reports/${customer}/reports`
]
