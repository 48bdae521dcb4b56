// The counts of the start page for 200 customers with 100,000 devices: how soon an answer is there, how many upstream calls
// are made in the background, and what that does to the calls of others. Each turn has a gateway of its own, and each
// reading turn is compared with the quiet one of its round.
import { startScene } from './aggregation-scene.ts'
import { type Latency, latencyOf, median, table } from './figures.ts'
import type { Answered, PacedLoad } from './programs/load.ts'
import type { Bench, Benchmark } from './run.ts'

const CUSTOMERS = 200
const DEVICES = 500
const ROUNDS = 5
/** Proxied calls a second, to an upstream that answers at once. */
const RATE = 200
const WARM_UP_SECONDS = 2
/** What a gateway takes to start and to end. */
const START_SECONDS = 4
/** The client asks this often while counts are read. */
const ASKED_EVERY_MS = 5_000
const CALLS_GOAL = 2
const P99_GOAL = 1.3
const PATH = '/api/portal/v1/organizations/7/attention'

export const attention: Benchmark = { name: 'attention', weight: 2, alone: true, run }

interface Turn extends Latency {
  failed: number
  /** Of reading turns: times of answers, the first one apart, and upstream calls a second. */
  firstMs: number
  laterMs: number[]
  callsPerSecond: number
}

async function run(bench: Bench): Promise<void> {
  const { upstream, load, startGateway } = await startScene(bench)
  await upstream.ask('prepare', { devices: 1000 })
  await upstream.ask('prepareCustomers', { devices: DEVICES, customers: CUSTOMERS })
  const seconds = Math.max(2, bench.seconds / (2 * ROUNDS) - WARM_UP_SECONDS - START_SECONDS)

  async function turn(reading: boolean): Promise<Turn> {
    const gateway = await startGateway()
    const calls = Array.from({ length: 20 }, () => gateway.call('/api/v1/recover/customers/c-1000/backups'))
    await load.ask('prepare', { calls })
    const paced = (seconds: number) => {
      const given: PacedLoad = {
        origin: gateway.origin,
        rate: RATE,
        count: RATE * seconds,
        seconds: seconds + 10
      }
      return load.ask<Answered[]>('paced', given)
    }
    await paced(WARM_UP_SECONDS)
    await upstream.ask('calls')
    const first = reading ? await gateway.get(PATH) : undefined
    const began = performance.now()
    let going = reading
    const laterMs: number[] = []
    const asked = (async () => {
      while (going) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(ASKED_EVERY_MS, seconds * 500)))
        laterMs.push((await gateway.get(PATH)).ms)
      }
    })()
    const answered = await paced(Math.ceil(seconds))
    const made = await upstream.ask<number>('calls')
    const took = (performance.now() - began) / 1000
    going = false
    await asked
    await gateway.program.stop()
    return {
      ...latencyOf(answered.map(({ ms }) => ms)),
      failed: answered.filter(({ status }) => status === 0 || status >= 500).length,
      firstMs: first?.ms ?? Number.NaN,
      laterMs,
      callsPerSecond: made / took
    }
  }

  const rounds: Record<'quiet' | 'reading', Turn>[] = []
  while (rounds.length < ROUNDS) rounds.push({ quiet: await turn(false), reading: await turn(true) })
  const ratios = rounds.map(({ quiet, reading }) => reading.p99 / quiet.p99)
  const row = (name: 'quiet' | 'reading') => {
    const turns = rounds.map((round) => round[name])
    return [
      name,
      median(turns.map(({ p50 }) => p50)).toFixed(2),
      median(turns.map(({ p99 }) => p99)).toFixed(2),
      name === 'quiet' ? '' : ratios.map((ratio) => ratio.toFixed(2)).join(' '),
      name === 'quiet' ? '' : median(ratios).toFixed(2),
      turns.reduce((sum, { failed }) => sum + failed, 0)
    ]
  }
  const head = [
    `calls of others, ${ROUNDS} rounds, ${RATE}/s`,
    'p50 ms',
    'p99 ms',
    'p99 / quiet, each round',
    `median (goal ${P99_GOAL})`,
    'failed'
  ]
  bench.print(table(head, [row('quiet'), row('reading')]))
  const readings = rounds.map(({ reading }) => reading)
  bench.print(
    `${CUSTOMERS} customers: first answer ${median(readings.map(({ firstMs }) => firstMs)).toFixed(0)} ms, later ones ` +
      `${median(readings.flatMap(({ laterMs }) => laterMs)).toFixed(0)} ms. In the background at most ` +
      `${Math.max(...readings.map(({ callsPerSecond }) => callsPerSecond)).toFixed(2)} upstream calls a second (goal ${CALLS_GOAL}), those for backups aside.`
  )
}
