// What a large customer that is put together again and again does to others: proxied calls in turns with it, without it,
// beside a thread that only keeps a core busy, and beside a process that does the same and is no gateway; and the memory
// that ten of them take.
import { Worker } from 'node:worker_threads'
import { type Gateway, pathOf, type Scene } from './aggregation-scene.ts'
import { latencyOf, median, table } from './figures.ts'
import type { Answered, PacedLoad } from './programs/load.ts'
import type { Hold } from './programs/usage.ts'

const ROUNDS = 5
/** Proxied calls a second, to an upstream that answers at once. */
const RATE = 200
const WARM_UP_SECONDS = 2
const CUSTOMERS = 10
/** The p99 while customers are put together, beside that of the quiet turn. */
const GOAL = 1.3

/** What goes on beside the calls: nothing, a thread that keeps a core busy for nothing, customers put together. */
const KINDS = ['quiet', 'a busy core', 'assembled by another process', 'assembling'] as const
type Kind = (typeof KINDS)[number]

interface Turn {
  p50: number
  p99: number
  failed: number
  assemblies: number
  hold: Hold
}

/** @param seconds of all turns together */
export async function besideAssemblies(
  { load, assemblers, upstreamOrigin: origin }: Scene,
  gateway: Gateway,
  devices: number,
  seconds: number
): Promise<string> {
  const calls = Array.from({ length: 20 }, () => gateway.call('/api/v1/recover/customers/c-1000/backups'))
  await load.ask('prepare', { calls })
  const count = Math.ceil((RATE * seconds) / (KINDS.length * ROUNDS))

  const paced = (count: number) => {
    const given: PacedLoad = { origin: gateway.origin, rate: RATE, count, seconds: count / RATE + 10 }
    return load.ask<Answered[]>('paced', given)
  }
  const ways: Partial<Record<Kind, () => Promise<unknown>>> = {
    'assembled by another process': () => assemblers.ask('parallelAndMaps', { origin, devices }),
    async assembling() {
      await gateway.forget(devices)
      await gateway.get(pathOf(devices, 'devices'))
    }
  }
  async function turn(kind: Kind): Promise<Turn> {
    const spinning = kind === 'a busy core' ? new Worker('for (;;);', { eval: true }) : null
    const assemble = ways[kind]
    let [going, assemblies] = [true, 0]
    const assembled = (async () => {
      while (assemble && going) {
        await assemble()
        assemblies += 1
      }
    })()
    await gateway.program.ask('watchLoop')
    const answered = await paced(count)
    const hold = await gateway.program.ask<Hold>('longestHold')
    going = false
    await Promise.all([assembled, spinning?.terminate()])
    const failed = answered.filter(({ status }) => status !== 200).length
    return { ...latencyOf(answered.map(({ ms }) => ms)), failed, assemblies, hold }
  }

  await paced(RATE * WARM_UP_SECONDS)
  const rounds: ReadonlyMap<Kind, Turn>[] = []
  while (rounds.length < ROUNDS) {
    const round = new Map<Kind, Turn>()
    for (const kind of KINDS) round.set(kind, await turn(kind))
    rounds.push(round)
  }
  const row = (name: Kind) => {
    const of = (kind: Kind) => rounds.map((round) => round.get(kind) as Turn)
    const [turns, quiet] = [of(name), of('quiet')]
    const ratios = turns.map(({ p99 }, index) => p99 / (quiet[index] as Turn).p99)
    return [
      name,
      median(turns.map(({ p50 }) => p50)).toFixed(2),
      median(turns.map(({ p99 }) => p99)).toFixed(2),
      ratios.map((ratio) => ratio.toFixed(2)).join(' '),
      median(ratios).toFixed(2),
      turns.reduce((sum, { assemblies }) => sum + assemblies, 0),
      Math.max(...turns.map(({ hold }) => hold.wallMs)).toFixed(1),
      turns.reduce((sum, { failed }) => sum + failed, 0)
    ]
  }
  const head = [
    `proxied calls beside ${devices} devices, ${count} a turn, ${RATE}/s`,
    'p50 ms',
    'p99 ms',
    'p99 / quiet, each round',
    `median (goal ${GOAL})`,
    'assemblies',
    'loop held, wall ms',
    'failed'
  ]
  return table(head, KINDS.map(row))
}

/** The most memory that a gateway ever had, in bytes, which was asked for so many customers of a size. */
export async function peakOfMany(scene: Scene, devices: number): Promise<string> {
  const gateway = await scene.startGateway()
  for (let number = 1; number <= CUSTOMERS; number += 1)
    for (const rest of ['tree', 'devices?q=ahu', 'devices?sort=hostId'])
      await gateway.get(pathOf(`${devices}x${number}`, rest))
  const bytes = await gateway.program.ask<number>('peakBytes')
  await gateway.program.stop()
  return `Peak RSS after ${CUSTOMERS} different customers of ${devices} devices: ${(bytes / 2 ** 20).toFixed(0)} MB.`
}
