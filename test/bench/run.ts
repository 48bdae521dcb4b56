// `npm run bench`, or a part: `npm run bench -- proxy`. Prints tables and writes nothing. BENCH_SECONDS bounds the whole
// run, starting and stopping aside.
import { aggregation } from './aggregation.ts'
import { attention } from './attention.ts'
import { browserChart } from './browser-chart.ts'
import { browserDevices } from './browser-devices.ts'
import { browserPeople } from './browser-people.ts'
import { browserSites } from './browser-sites.ts'
import { describeCores } from './cores.ts'
import { downloads } from './downloads.ts'
import { fairness } from './fairness.ts'
import { lighthouse } from './lighthouse.ts'
import { mutants } from './mutants.ts'
import { proxy } from './proxy.ts'
import { restarts } from './restarts.ts'
import { search } from './search.ts'
import { slowLine } from './slow-line.ts'
import { soak } from './soak.ts'
import { storeTrouble } from './store-trouble.ts'

export interface Benchmark {
  name: string
  /** Its part of the time, beside the parts of the others. */
  weight: number
  /** Only run when it is named: it needs more time than the others leave. */
  alone?: true
  run: (bench: Bench) => Promise<void>
}

export interface Bench {
  /** How long it may measure. */
  seconds: number
  /** Undoes something at the end, the latest first. */
  teardown: (work: () => unknown) => void
  print: (text: string) => void
}

/** Every benchmark there is. */
const BENCHMARKS: readonly Benchmark[] = [
  proxy,
  fairness,
  aggregation,
  attention,
  browserChart,
  browserDevices,
  browserPeople,
  browserSites,
  search,
  downloads,
  slowLine,
  restarts,
  storeTrouble,
  soak,
  lighthouse,
  mutants
]

const named = process.argv.slice(2)
const chosen = BENCHMARKS.filter(({ name, alone }) => (named.length === 0 ? !alone : named.includes(name)))
const unknown = named.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
const seconds = Number(process.env.BENCH_SECONDS || 140)

if (unknown.length > 0 || !(seconds >= 10)) {
  const names = BENCHMARKS.map(({ name }) => name).join(', ')
  console.error(`There are the benchmarks ${names}, and BENCH_SECONDS is a number from 10.`)
  process.exitCode = 1
} else {
  console.log(
    `${describeCores()} Node ${process.version}. Other work on this machine makes the figures worse.`
  )
  const weights = chosen.reduce((sum, { weight }) => sum + weight, 0)
  for (const benchmark of chosen) await run(benchmark, (seconds * benchmark.weight) / weights)
}

async function run({ name, run }: Benchmark, seconds: number): Promise<void> {
  const undo: (() => unknown)[] = []
  console.log(`\n# ${name}`)
  try {
    await run({ seconds, teardown: (work) => void undo.unshift(work), print: (text) => console.log(text) })
  } catch (error) {
    console.error(`${name} failed: ${(error as Error).stack}`)
    process.exitCode = 1
  } finally {
    for (const work of undo) await work()
  }
}
