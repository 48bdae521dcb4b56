// What it takes to put together a customer of up to 100,000 devices, beside other ways to do it and the least that it can
// take; and what is answered from it afterwards.
import { besideAssemblies, peakOfMany } from './aggregation-neighbours.ts'
import { type Gateway, pathOf, type Scene, startScene } from './aggregation-scene.ts'
import { type ColdRound, coldTable, heldTable, type Sized, warmTable } from './aggregation-tables.ts'
import { quantile } from './figures.ts'
import type { Floor } from './programs/assemblers.ts'
import type { Answered, PacedLoad } from './programs/load.ts'
import type { Hold } from './programs/usage.ts'
import type { Bench, Benchmark } from './run.ts'

export const SIZES = [1_000, 10_000, 50_000, 100_000] as const
const LARGEST = 100_000
/** Searching arrays for each device takes minutes beyond: it is reckoned from here, by its square. */
const SEARCHED_MAX = 10_000
const ROUNDS_MIN = 3
const WAITERS = 1_000
const WAITED_FOR = 10_000
const PAGE_RATE = 20

export const aggregation: Benchmark = { name: 'aggregation', weight: 4, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench)
  const sized: Sized[] = []
  for (const devices of SIZES) {
    await scene.upstream.ask('prepare', { devices })
    const gateway = await startWarmGateway(scene)
    const seconds = bench.seconds * (devices === LARGEST ? 0.25 : 0.1)
    const rounds = await coldRounds(scene, gateway, devices, seconds)
    sized.push({
      devices,
      rounds,
      searchedMs: await searchedMs(scene, devices, sized),
      peakBytes: await peak(gateway)
    })
    if (devices === WAITED_FOR) bench.print(`${await waiters(scene, gateway)}\n`)
    if (devices === LARGEST) {
      bench.print(await warm(scene, gateway, bench.seconds * 0.15))
      bench.print(`\n${await besideAssemblies(scene, gateway, LARGEST, bench.seconds * 0.2)}`)
    }
    await gateway.program.stop()
  }
  bench.print(`\n${await peakOfMany(scene, LARGEST)}`)
  bench.print(`\n${coldTable(sized)}`)
  bench.print(`\n${heldTable(sized)}`)
}

/** One that has done all of it before, with a small customer. */
async function startWarmGateway(scene: Scene): Promise<Gateway> {
  await scene.upstream.ask('prepare', { devices: SIZES[0] })
  const gateway = await scene.startGateway()
  for (let time = 0; time < 5; time += 1) {
    await gateway.get(pathOf(SIZES[0], 'tree'))
    await gateway.get(pathOf(SIZES[0], 'devices?q=ahu'))
    await gateway.forget(SIZES[0])
  }
  return gateway
}

/** The ways take turns, so that what else the machine does meets all alike. */
async function coldRounds(
  { assemblers, upstreamOrigin: origin }: Scene,
  gateway: Gateway,
  devices: number,
  seconds: number
): Promise<ColdRound[]> {
  const rounds: ColdRound[] = []
  const until = performance.now() + seconds * 1000
  while (rounds.length < ROUNDS_MIN || performance.now() < until) {
    const floor = await assemblers.ask<Floor>('floor', { origin, devices })
    const mapsMs = await assemblers.ask<number>('parallelAndMaps', { origin, devices })
    await gateway.forget(devices)
    await gateway.program.ask('watchLoop')
    const before = await gateway.program.ask<number>('cpu')
    const { ms } = await gateway.get(pathOf(devices, 'tree'))
    const cpuMs = ((await gateway.program.ask<number>('cpu')) - before) / 1000
    rounds.push({ floor, mapsMs, ms, cpuMs, hold: await gateway.program.ask<Hold>('longestHold') })
  }
  return rounds
}

async function searchedMs({ assemblers, upstreamOrigin: origin }: Scene, devices: number, before: Sized[]) {
  if (devices <= SEARCHED_MAX) return assemblers.ask<number>('pageAfterPage', { origin, devices })
  const last = before.find((one) => one.devices === SEARCHED_MAX)
  return (last?.searchedMs ?? Number.NaN) * (devices / SEARCHED_MAX) ** 2
}

const peak = ({ program }: Gateway) => program.ask<number>('peakBytes')

/** Many who wait for a customer that nobody has asked for. */
async function waiters({ upstream, load }: Scene, gateway: Gateway): Promise<string> {
  await gateway.forget(WAITED_FOR)
  await load.ask('prepare', {
    calls: Array.from({ length: 50 }, () => gateway.call(pathOf(WAITED_FOR, 'devices')))
  })
  await upstream.ask('calls')
  const given: PacedLoad = { origin: gateway.origin, rate: 100_000, count: WAITERS, seconds: 60 }
  const answered = await load.ask<Answered[]>('paced', given)
  const fine = answered.filter(({ status }) => status === 200).length
  const pages = Math.ceil(WAITED_FOR / 1000)
  return `${WAITERS} callers of a cold customer of ${WAITED_FOR} devices: ${fine} answered, ${await upstream.ask<number>('calls')} upstream calls (${pages} pages of devices, projects, subscriptions, and the organization once a minute).`
}

const QUERIES = [
  '',
  'q=ahu',
  'q=a82',
  'q=titan',
  'q=project 12',
  'q=level 4',
  'q=zzzz',
  'q=a',
  'q=82b&page=1'
].flatMap((search) =>
  [
    'sort=deviceName',
    'sort=hostId&order=desc',
    'sort=projectName',
    'sort=location&order=desc',
    'service=NDS'
  ].map((order) => `devices?${search.replaceAll(' ', '%20')}&${order}`)
)

async function warm({ load }: Scene, gateway: Gateway, seconds: number): Promise<string> {
  const get = (rest: string, headers?: Record<string, string>) => gateway.get(pathOf(LARGEST, rest), headers)
  const firstPage = (await get('devices')).ms
  for (const query of QUERIES) await get(query)
  await load.ask('prepare', { calls: QUERIES.map((query) => gateway.call(pathOf(LARGEST, query))) })
  await gateway.program.ask('watchLoop')
  const before = await gateway.program.ask<number>('cpu')
  const count = Math.ceil(PAGE_RATE * seconds)
  const given: PacedLoad = { origin: gateway.origin, rate: PAGE_RATE, count, seconds: seconds + 30 }
  const pages = await load.ask<Answered[]>('paced', given)
  const pageCpuMs = ((await gateway.program.ask<number>('cpu')) - before) / 1000 / count
  const hold = await gateway.program.ask<Hold>('longestHold')
  if (pages.some(({ status }) => status !== 200)) throw new Error('a page of devices failed')
  const ms = pages.map((one) => one.ms)

  const br = { 'accept-encoding': 'br' }
  const firstCompressed = await get('tree', br)
  const [plain, compressed] = [await get('tree'), await get('tree', br)]
  const known = await get('tree', { ...br, 'if-none-match': compressed.etag })
  const lines = await get('tree', { accept: 'application/x-ndjson' })
  return warmTable({
    devices: LARGEST,
    firstPage,
    pages: { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99), cpuMs: pageCpuMs, count, hold },
    trees: { firstCompressed, plain, compressed, known, lines },
    peakBytes: await peak(gateway)
  })
}
