// `npm run bench`, or a part: `npm run bench -- proxy`. Prints tables and writes no files. BENCH_SECONDS limits the
// time of measuring; starting and stopping take additional time.
import { aggregation } from './aggregation.ts'
import { attention } from './attention.ts'
import { charts } from './charts.ts'
import { describeCores } from './cores.ts'
import { fairShare } from './fair-share.ts'
import type { Benchmark } from './frame.ts'
import { lighthouse } from './lighthouse.ts'
import { live } from './live.ts'
import { proxy } from './proxy.ts'
import { search } from './search.ts'
import { slowLine } from './slow-line.ts'

const BENCHMARKS: readonly Benchmark[] = [
  proxy,
  aggregation,
  attention,
  fairShare,
  search,
  slowLine,
  charts,
  live,
  lighthouse
]

const named = process.argv.slice(2)
const chosen = BENCHMARKS.filter(({ name, alone }) => (named.length === 0 ? !alone : named.includes(name)))
const unknown = named.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
const seconds = Number(process.env.BENCH_SECONDS || 140)

if (unknown.length > 0 || !(seconds >= 10)) {
  const names = BENCHMARKS.map(({ name }) => name).join(', ')
  console.error(`The benchmarks are ${names}. BENCH_SECONDS is at least 10.`)
  process.exitCode = 1
} else {
  console.log(
    `${describeCores()} Node ${process.version}. Other load on this machine makes the figures worse.`
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
