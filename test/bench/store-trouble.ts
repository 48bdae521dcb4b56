// What a person notices of a Redis in trouble: how soon calls are told so, and how soon after its end all is well again.
import { setTimeout as wait } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { quantile, table } from './figures.ts'
import type { Bench, Benchmark } from './frame.ts'
import type { Answered, Call } from './programs/load.ts'
import { startScene } from './scene.ts'

/** Calls during a trouble, each after the one before, and as many at once. */
const CALLS = 20
const ANSWERED_GOAL_MS = 1_000
const WELL_GOAL_MS = 2_000
const GIVE_UP_MS = 30_000
/** Longer than the gateway waits for a command. */
const SLOW_MS = 700

const TROUBLES: Record<string, { begin: (wire: TcpProxy) => unknown; end: (wire: TcpProxy) => unknown }> = {
  'refuses connections': { begin: (wire) => wire.refuse(), end: (wire) => wire.accept() },
  'hangs, connections stay': { begin: (wire) => wire.hold(), end: (wire) => wire.letGo() },
  'resets connections once': { begin: (wire) => wire.reset(), end: () => {} },
  [`answers after ${SLOW_MS} ms`]: {
    begin: (wire) => Object.assign(wire, { delayMs: SLOW_MS / 2 }),
    end: (wire) => Object.assign(wire, { delayMs: 0 })
  }
}

export const storeTrouble: Benchmark = { name: 'store-trouble', weight: 1, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: 1 })
  const { host = '', port = 0 } = scene.redis.options
  const wire = await startTcpProxy(bench, port)
  const { origin } = await scene.startGateway({
    UPSTREAM_URL: scene.plain.origin,
    REDIS_URL: `redis://${host}:${wire.port}`
  })
  const [call] = scene.callsOf(() => '/api/v2/management/organizations/1000/projects?page=0&size=20') as [
    Call
  ]
  for (let warm = 0; warm < CALLS; warm += 1) await timed(origin, call)

  const rows: (string | number)[][] = []
  for (const [name, { begin, end }] of Object.entries(TROUBLES)) {
    await begin(wire)
    const atOnce = Promise.all(Array.from({ length: CALLS }, () => timed(origin, call)))
    const answered: Answered[] = []
    while (answered.length < CALLS) answered.push(await timed(origin, call))
    answered.push(...(await atOnce))
    await end(wire)
    const well = await wellAfter(origin, call)
    const ms = answered.filter(({ status }) => status === 503).map((one) => one.ms)
    const others = answered.filter(({ status }) => status !== 503 && status !== 200)
    const shown = [0.5, 1].map((q) => (ms.length > 0 ? quantile(ms, q).toFixed(0) : ''))
    rows.push([name, answered.length, ms.length, others.length, ...shown, well.toFixed(0)])
  }
  const latest = [`latest ms (goal ${ANSWERED_GOAL_MS})`, `well again after ms (goal ${WELL_GOAL_MS})`]
  bench.print(table(['Redis', 'calls', 'answered 503', 'neither 200 nor 503', 'p50 ms', ...latest], rows))
}

async function timed(origin: string, { path, headers }: Call): Promise<Answered> {
  const begun = performance.now()
  const status = await fetch(origin + path, { headers }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 0
  )
  return { status, ms: performance.now() - begun }
}

/** Milliseconds until a call is answered 200. */
async function wellAfter(origin: string, call: Call): Promise<number> {
  const begun = performance.now()
  while ((await timed(origin, call)).status !== 200) {
    if (performance.now() - begun > GIVE_UP_MS) return Number.POSITIVE_INFINITY
    await wait(10)
  }
  return performance.now() - begun
}
