// Measures what one person can do to others, a case a file. Quiet turns and attacks alternate; each starts a gateway.
// BENCH_CASES="large report" runs only the named cases, which commas separate.
import { alarmLists } from './fair-share/alarm-lists.ts'
import { type Case, CUSTOMERS, DEVICES } from './fair-share/case.ts'
import { hangingTenants } from './fair-share/hanging-tenants.ts'
import { hoardedSessions } from './fair-share/hoarded-sessions.ts'
import { hoardedStreams } from './fair-share/hoarded-streams.ts'
import { largeReport } from './fair-share/large-report.ts'
import { madeUpSignIns } from './fair-share/made-up-sign-ins.ts'
import type { Bench, Benchmark } from './frame.ts'
import { startLoad, startScene } from './scene.ts'

const CASES: readonly Case[] = [
  hoardedSessions,
  hangingTenants,
  largeReport,
  alarmLists,
  madeUpSignIns,
  hoardedStreams
]

export const fairShare: Benchmark = { name: 'fair-share', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const names = CASES.map(({ name }) => name)
  const named = process.env.BENCH_CASES?.split(',').map((name) => name.trim()) ?? names
  const unknown = named.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`no case ${unknown.join(', ')}; the cases are ${names.join(', ')}`)
  const chosen = CASES.filter(({ name }) => named.includes(name))
  const scene = await startScene(bench, { people: 20 })
  await scene.inventory.ask('prepareCustomers', { devices: DEVICES, customers: CUSTOMERS })
  const load = await startLoad(
    bench,
    scene.callsOf(() => `/api/v1/recover/customers/c-${DEVICES}x1/backups`)
  )
  const shares = chosen.reduce((sum, { share }) => sum + share, 0)
  for (const { measure, share } of chosen) {
    const tables = await measure({ bench, scene, load }, (bench.seconds * share) / shares)
    bench.print(`${tables}\n`)
  }
}
