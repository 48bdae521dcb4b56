// Hours in short: mixed calls at a steady pace for as long as BENCH_SECONDS allows. What grows then is shown as a slope;
// what stalls, by the lag of the gateway's event loop.
import { latencyOf, median, quantile, table } from './figures.ts'
import type { Answered, PacedLoad } from './programs/load.ts'
import type { Memory } from './programs/usage.ts'
import type { Bench, Benchmark } from './run.ts'
import { PEOPLE, startSurroundings } from './surroundings.ts'

/** Calls per second, far below what a core can do: it is about what stays, not about speed. */
const RATE = 150
/** Each slice is a point of the slopes. */
const SLICES = 30
const WARM_UP_SLICES = 5
const LAG_MAX_MS = 50

export const soak: Benchmark = { name: 'soak', weight: 1, alone: true, run }

interface Slice {
  rssMb: number
  heapMb: number
  descriptors: number
  lagP99Ms: number
  ms: number[]
  failed: number
}

async function run(bench: Bench): Promise<void> {
  const around = await startSurroundings(bench)
  const load = await around.load(mixed(around.calls))
  const seconds = Math.max(1, bench.seconds / SLICES)
  const slices: Slice[] = []
  for (let count = 0; count < SLICES; count += 1) {
    const given: PacedLoad = {
      origin: around.gatewayOrigin,
      rate: RATE,
      count: Math.ceil(RATE * seconds),
      seconds: seconds + 5
    }
    const answered = await load.ask<Answered[]>('paced', given)
    // Before the garbage collection that the memory is read after: it would be the longest stall of all.
    const figures = await figuresOf(around.operationsOrigin)
    const { rssBytes, heapBytes } = await around.gateway.ask<Memory>('memory')
    slices.push({
      rssMb: rssBytes / 2 ** 20,
      heapMb: heapBytes / 2 ** 20,
      descriptors: figures('process_open_fds'),
      lagP99Ms: figures('nodejs_eventloop_lag_p99_seconds') * 1000,
      ms: answered.map(({ ms }) => ms),
      failed: answered.filter(({ status }) => status === 0 || status >= 500).length
    })
  }
  report(bench, slices, seconds)
}

/** Most calls are proxied ones; some are refused, some change nothing because nobody is signed in, some ask for the client. */
function mixed(calls: readonly { path: string; headers: Record<string, string> }[]) {
  return calls.flatMap((call, index) => {
    if (index % 10 === 0) return [{ ...call, path: '/auth/session' }]
    if (index % 10 === 1) return [{ ...call, path: '/api/v2/management/users?page=0&size=15' }]
    if (index % 10 === 2) return [{ path: '/customers', headers: {} }]
    if (index % 10 === 3) return [{ path: call.path, headers: { 'x-portal-csrf': '1' } }]
    return [call]
  })
}

/** Figures of the gateway by name. */
async function figuresOf(origin: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

function report(bench: Bench, slices: readonly Slice[], seconds: number): void {
  const warm = slices.slice(WARM_UP_SLICES)
  const row = (name: string, of: (slice: Slice) => number, digits: number) => {
    const values = warm.map(of)
    const third = Math.floor(values.length / 3)
    const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))]
    const show = (value: number) => value.toFixed(digits)
    return [name, show(first), show(last), show(last - first), show(quantile(values, 1))]
  }
  const { p50, p99 } = latencyOf(warm.flatMap(({ ms }) => ms))
  const failed = slices.reduce((sum, slice) => sum + slice.failed, 0)
  const calls = slices.reduce((sum, { ms }) => sum + ms.length, 0)
  bench.print(
    `${Math.round(seconds * SLICES)} s, ${RATE} mixed calls/s of ${PEOPLE} people: ${calls} calls, ${failed} failed, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`
  )
  bench.print(
    table(
      ['of the gateway', 'first third', 'last third', 'change', 'most'],
      [
        row('RSS, MB', ({ rssMb }) => rssMb, 1),
        row('heap after collection, MB', ({ heapMb }) => heapMb, 2),
        row('open descriptors', ({ descriptors }) => descriptors, 0),
        row(`event-loop lag p99, ms (aim < ${LAG_MAX_MS})`, ({ lagP99Ms }) => lagP99Ms, 1)
      ]
    )
  )
}
