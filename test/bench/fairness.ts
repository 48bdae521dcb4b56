// One upstream hangs on 1,000 calls: what that does to calls of another, and how soon the calls that the gateway does
// not let wait are told so.
import { latencyOf, quantile, table } from './figures.ts'
import type { Answered, PacedLoad } from './programs/load.ts'
import type { Bench, Benchmark } from './run.ts'
import { startSurroundings } from './surroundings.ts'

const HANGING_CALLS = 1_000
/** Calls per second to the upstream that hangs, and to the one that does not. */
const HANGING_RATE = 500
const RATE = 200
const WARM_UP_SECONDS = 3

export const fairness: Benchmark = { name: 'fairness', weight: 1, run }

async function run(bench: Bench): Promise<void> {
  const around = await startSurroundings(bench)
  const origin = around.gatewayOrigin
  const load = await around.load(around.calls)
  const hangingLoad = await around.load(around.hangingCalls)
  const paced = async (seconds: number) => {
    const given: PacedLoad = { origin, rate: RATE, count: Math.ceil(RATE * seconds), seconds: seconds + 5 }
    const answered = await load.ask<Answered[]>('paced', given)
    if (answered.some(({ status }) => status !== 200)) throw new Error('a call to the other upstream failed')
    return answered.map(({ ms }) => ms)
  }

  await paced(WARM_UP_SECONDS)
  const comingSeconds = HANGING_CALLS / HANGING_RATE
  const turn = Math.max(comingSeconds, 3)
  const calm: number[] = []
  const coming: number[] = []
  const hanging: number[] = []
  const answers: Answered[] = []
  const until = performance.now() + (bench.seconds - WARM_UP_SECONDS) * 1000
  do {
    calm.push(...(await paced(turn)))
    const given: PacedLoad = {
      origin,
      rate: HANGING_RATE,
      count: HANGING_CALLS,
      seconds: comingSeconds + turn + 1
    }
    const hung = hangingLoad.ask<Answered[]>('paced', given)
    coming.push(...(await paced(comingSeconds)))
    hanging.push(...(await paced(turn)))
    answers.push(...(await hung))
  } while (performance.now() + (2 * turn + comingSeconds) * 1000 < until)

  bench.print(others({ calm, coming, hanging }))
  bench.print(`\n${surplus(answers, around.places)}`)
}

function others(ms: Record<'calm' | 'coming' | 'hanging', number[]>): string {
  const calm = latencyOf(ms.calm)
  const row = (name: string, values: number[]) => {
    const { p50, p99 } = latencyOf(values)
    const change = ((p99 / calm.p99 - 1) * 100).toFixed(0)
    return [name, values.length, p50.toFixed(2), p99.toFixed(2), `${change} %`]
  }
  return table(
    [`the other upstream, ${RATE} calls/s`, 'calls', 'p50 ms', 'p99 ms', 'change of p99'],
    [
      row('all is well', ms.calm),
      row(`${HANGING_CALLS} calls to the hanging one come, ${HANGING_RATE}/s`, ms.coming),
      row('they hang', ms.hanging)
    ]
  )
}

/** @param places how many calls may wait */
function surplus(answers: Answered[], places: number): string {
  const ms = answers.filter(({ status }) => status === 503).map((one) => one.ms)
  const others = answers.filter(({ status }) => status !== 503 && status !== 0)
  const share = (count: number) => Math.round((count * HANGING_CALLS) / answers.length)
  return table(
    [`of ${HANGING_CALLS} calls to the hanging upstream`, 'calls', 'p50 ms', 'p99 ms', 'latest ms'],
    [
      [`take the ${places} places and wait`, share(answers.length - ms.length - others.length), '', '', ''],
      [
        `of the surplus of ${HANGING_CALLS - places}, answered 503 at once`,
        share(ms.length),
        ...[0.5, 0.99, 1].map((q) => quantile(ms, q).toFixed(1))
      ],
      ['answered otherwise', share(others.length), '', '', '']
    ]
  )
}
