// What a person notices of a Redis in trouble: how soon calls are told so, and how soon after its end all is well again.
import { setTimeout as wait } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { quantile, table } from './figures.ts'
import type { Answered, Call } from './programs/load.ts'
import type { Bench, Benchmark } from './run.ts'
import { startSurroundings } from './surroundings.ts'

/** Calls during a trouble, each after the one before, and one beside them all. */
const CALLS = 20
const TOLD_WITHIN_MS = 1_000
const BACK_WITHIN_MS = 2_000
const GIVE_UP_MS = 30_000
/** Longer than the gateway waits for a command. */
const SLOW_MS = 700

export const storeTrouble: Benchmark = { name: 'store-trouble', weight: 1, alone: true, run }

interface Trouble {
  name: string
  begin: () => unknown
  end: () => unknown
}

const troublesOf = (wire: TcpProxy): Trouble[] => [
  { name: 'refuses connections', begin: () => wire.refuse(), end: () => wire.accept() },
  { name: 'hangs, connections stay', begin: () => wire.hold(), end: () => wire.letGo() },
  { name: 'resets connections once', begin: () => wire.reset(), end: () => {} },
  {
    name: `answers after ${SLOW_MS} ms`,
    begin: () => {
      wire.delayMs = SLOW_MS / 2
    },
    end: () => {
      wire.delayMs = 0
    }
  }
]

async function run(bench: Bench): Promise<void> {
  const around = await startSurroundings(bench)
  const { host = '', port = 0 } = around.redis.options
  const wire = await startTcpProxy(bench, port)
  const { origin } = await around.anotherGateway({ REDIS_URL: `redis://${host}:${wire.port}` })
  const [call] = around.calls as [Call]
  for (let warm = 0; warm < CALLS; warm += 1) await timed(origin, call)

  const rows: (string | number)[][] = []
  for (const { name, begin, end } of troublesOf(wire)) {
    await begin()
    const beside = Promise.all(Array.from({ length: CALLS }, () => timed(origin, call)))
    const answered: Answered[] = []
    while (answered.length < CALLS) answered.push(await timed(origin, call))
    answered.push(...(await beside))
    await end()
    const back = await backAfter(origin, call)
    const ms = answered.filter(({ status }) => status === 503).map((one) => one.ms)
    const others = answered.filter(({ status }) => status !== 503 && status !== 200)
    rows.push([
      name,
      answered.length,
      ms.length,
      others.length,
      ms.length > 0 ? quantile(ms, 0.5).toFixed(0) : '',
      ms.length > 0 ? quantile(ms, 1).toFixed(0) : '',
      back.toFixed(0)
    ])
  }
  bench.print(
    table(
      [
        'Redis',
        'calls',
        'answered 503',
        'neither 200 nor 503',
        'p50 ms',
        `latest ms (aim ≤ ${TOLD_WITHIN_MS})`,
        `well again after ms (aim ≤ ${BACK_WITHIN_MS})`
      ],
      rows
    )
  )
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

/** Until a call is answered as ever. */
async function backAfter(origin: string, call: Call): Promise<number> {
  const begun = performance.now()
  while ((await timed(origin, call)).status !== 200) {
    if (performance.now() - begun > GIVE_UP_MS) return Number.POSITIVE_INFINITY
    await wait(10)
  }
  return performance.now() - begun
}
