// What a signed-in, permitted call costs more than one through a bare @fastify/http-proxy, and beside one through a gateway
// of @fastify/session and that proxy: the same 2 KB from the same upstream, in turns, so that what else the machine does
// meets all alike.
import { freePort } from '#test/support/portal.ts'
import { busyMicroseconds, SERVER_CORE } from './cores.ts'
import { type Latency, latencyOf, median } from './figures.ts'
import { type Program, startServer } from './program.ts'
import type { Answered, FastAnswers, FastLoad, PacedLoad } from './programs/load.ts'
import type { Memory } from './programs/usage.ts'
import { addedLatency, costs, memoryOf } from './proxy-tables.ts'
import type { Bench, Benchmark } from './run.ts'
import { commandCounts, PEOPLE, type Surroundings, startSurroundings } from './surroundings.ts'
import { signInTuned } from './tuned-session.ts'

export const CONNECTIONS = 32
/** Calls per second at which latency is measured: far below what either server can do. */
export const RATE = 300
const LATENCY_ROUNDS = 5
/** What the code takes, and not the sessions, is there after calls of so many. */
const FEW_SESSIONS = 50
/** Rounds in which others take more than this share of the server's core are left out: caches and clock suffer. */
const OTHERS_SHARE_MAX = 0.1
const ROUNDS_MIN = 5
/** A machine that is busy otherwise makes a time-out or two; more than that is no measurement. */
const FAILED_SHARE_MAX = 0.001

interface Server {
  name: string
  origin: string
  program: Program
  /** Where its callers need other cookies. */
  load?: Program
}

export interface Round {
  cpuSeconds: number
  callsPerSecond: number
  calls: number
  /** How much of the core others took meanwhile. */
  othersShare: number
}

/** A turn of each server, one after the other. */
export type Turns = Record<'bare' | 'session' | 'gateway' | 'quiet', Round>

export const proxy: Benchmark = { name: 'proxy', weight: 3, run }

async function run(bench: Bench): Promise<void> {
  const around = await startSurroundings(bench)
  const bare = await startBareProxy(bench, around.upstreamOrigin)
  const session = await startTunedSession(bench, around)
  const gateway = { name: 'gateway', origin: around.gatewayOrigin, program: around.gateway }
  // The bare proxy writes no line for a call, so what the gateway's lines cost is told apart.
  const quiet = { name: 'gateway, LOG_LEVEL=warn', ...(await around.anotherGateway({ LOG_LEVEL: 'warn' })) }
  const load = await around.load(around.calls)
  const roundSeconds = Math.min(1, bench.seconds / 90)
  const fast = (server: Server, seconds = roundSeconds) => measure(server.load ?? load, server, seconds)

  const unused = await gateway.program.ask<Memory>('memory')
  const fewSessions = await around.load(around.calls.slice(0, FEW_SESSIONS))
  await measure(fewSessions, gateway, bench.seconds * 0.06)
  await fewSessions.stop()
  const warm = await gateway.program.ask<Memory>('memory')
  // Only now: a forced collection takes machine code along that the other servers keep.
  for (const server of [bare, session, gateway, quiet]) await fast(server, bench.seconds * 0.06)
  const counted = await commandCounts(around.redis)

  const rounds: Turns[] = []
  const until = performance.now() + bench.seconds * 500
  while (performance.now() < until) {
    // Who goes first changes, so that a machine that slows down favours neither.
    const first = rounds.length % 2 === 0 ? await fast(bare) : null
    const ours = { session: await fast(session), gateway: await fast(gateway), quiet: await fast(quiet) }
    rounds.push({ bare: first ?? (await fast(bare)), ...ours })
  }
  bench.print(costs(undisturbed(rounds), rounds.length))
  const commands = commandsPerCall(counted, await commandCounts(around.redis), rounds)
  const used = await gateway.program.ask<Memory>('memory')

  const upstream = { name: 'upstream', origin: around.upstreamOrigin }
  const latencies = await latenciesOf(load, [upstream, bare, gateway], bench.seconds * 0.35)

  bench.print(addedLatency(latencies))
  bench.print(`Redis commands per call: ${commands}`)
  bench.print(memoryOf({ unused, warm, used }, around.sessionBytes))
}

async function startBareProxy(bench: Bench, upstream: string): Promise<Server> {
  const port = await freePort()
  const program = await startServer('programs/bare-proxy.ts', port, {
    core: SERVER_CORE,
    env: { UPSTREAM_URL: upstream, NODE_ENV: 'production' }
  })
  bench.teardown(() => program.stop())
  return { name: 'bare proxy', origin: `http://127.0.0.1:${port}`, program }
}

async function startTunedSession(bench: Bench, around: Surroundings): Promise<Server> {
  const { secret, cookies } = await signInTuned(around.redisUrl, PEOPLE)
  const port = await freePort()
  const program = await startServer('programs/tuned-session.ts', port, {
    core: SERVER_CORE,
    env: {
      UPSTREAM_URL: around.upstreamOrigin,
      REDIS_URL: around.redisUrl,
      SESSION_SECRET: secret,
      NODE_ENV: 'production'
    }
  })
  bench.teardown(() => program.stop())
  const load = await around.load(around.callsWith(cookies))
  return { name: 'tuned @fastify/session', origin: `http://127.0.0.1:${port}`, program, load }
}

async function measure(load: Program, { origin, program }: Server, seconds: number): Promise<Round> {
  const before = await program.ask<number>('cpu')
  const busyBefore = busyMicroseconds(SERVER_CORE) ?? 0
  const given: FastLoad = { origin, connections: CONNECTIONS, seconds }
  const done = await load.ask<FastAnswers>('fast', given)
  refuseFailures(done.failed, done.calls)
  const microseconds = (await program.ask<number>('cpu')) - before
  const busy = (busyMicroseconds(SERVER_CORE) ?? microseconds) - busyBefore
  return {
    calls: done.calls,
    cpuSeconds: ((microseconds / 1e6) * 10_000) / done.calls,
    callsPerSecond: done.calls / done.seconds,
    othersShare: (busy - microseconds) / 1e6 / done.seconds
  }
}

/** All rounds where too few are. */
function undisturbed(rounds: Turns[]): Turns[] {
  const kept = rounds.filter((turns) =>
    Object.values(turns).every(({ othersShare }) => othersShare <= OTHERS_SHARE_MAX)
  )
  return kept.length < ROUNDS_MIN ? rounds : kept
}

async function latenciesOf(
  load: Program,
  servers: { name: string; origin: string }[],
  seconds: number
): Promise<Map<string, Latency>> {
  const rounds = new Map<string, Latency[]>()
  const turn = seconds / LATENCY_ROUNDS / servers.length
  for (let round = 0; round < LATENCY_ROUNDS; round += 1) {
    for (const { name, origin } of servers) {
      const given: PacedLoad = { origin, rate: RATE, count: Math.ceil(RATE * turn), seconds: turn + 5 }
      const answered = await load.ask<Answered[]>('paced', given)
      const fine = answered.filter(({ status }) => status === 200)
      refuseFailures(answered.length - fine.length, answered.length)
      rounds.set(name, [...(rounds.get(name) ?? []), latencyOf(fine.map(({ ms }) => ms))])
    }
  }
  const middle = (of: Latency[]): Latency => ({
    p50: median(of.map(({ p50 }) => p50)),
    p99: median(of.map(({ p99 }) => p99))
  })
  return new Map([...rounds].map(([name, of]) => [name, middle(of)]))
}

function refuseFailures(failed: number, calls: number): void {
  if (failed > calls * FAILED_SHARE_MAX) throw new Error(`${failed} of ${calls} calls failed`)
}

/** The benchmark's own look at the figures, and how the tuned session reads. */
const NOT_THE_GATEWAYS = ['info', 'get']

function commandsPerCall(before: Map<string, number>, after: Map<string, number>, rounds: Turns[]): string {
  const calls = rounds.reduce((sum, { gateway, quiet }) => sum + gateway.calls + quiet.calls, 0)
  return [...after]
    .map(([name, count]) => [name, (count - (before.get(name) ?? 0)) / calls] as const)
    .filter(([name, perCall]) => perCall > 0 && !NOT_THE_GATEWAYS.includes(name))
    .map(([name, perCall]) => `${name} ${perCall.toFixed(3)}`)
    .join(', ')
}
