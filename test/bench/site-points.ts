// Measures reading the points of all devices of a customer: time to the first rows and to all, upstream calls, and the delay of
// other calls. Each person has other rights, so that each reads them anew.
import { setTimeout as wait } from 'node:timers/promises'
import type { SitePoints } from '#shared/answers/site-points.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { median, table } from './figures.ts'
import { type Bench, othersOf, othersTable } from './frame.ts'
import type { PortalApart } from './portal-apart.ts'
import type { Answered } from './programs/load.ts'
import type { Usage } from './programs/usage.ts'
import { get, type startLoad } from './scene.ts'

interface Goal {
  devices: number
  points: number
  allMs: number
}

/** For an API that searches all devices at once, and for one that searches single devices. */
const GOALS: Record<'at once' | 'each device', readonly Goal[]> = {
  'at once': [
    { devices: 164, points: 6_500, allMs: 4_000 },
    { devices: 1_240, points: 50_000, allMs: 20_000 }
  ],
  'each device': [
    { devices: 164, points: 6_500, allMs: 6_000 },
    { devices: 1_240, points: 50_000, allMs: 45_000 }
  ]
}
const FIRST_ROWS_MS = 2_000
const POLL_MS = 1_000
const OTHERS_GOAL = 1.5

interface Read {
  firstMs: number
  allMs: number
  calls: number
  answer: SitePoints
}

interface Options {
  portal: PortalApart
  load: Awaited<ReturnType<typeof startLoad>>
  /** Calls per second of others. */
  rate: number
  people: readonly string[]
  seconds: number
}

export async function measureSitePoints(
  bench: Bench,
  kind: keyof typeof GOALS,
  { portal, load, rate, people, seconds }: Options
): Promise<void> {
  const paced = () => load.paced(portal.url, rate, seconds)
  const rounds: { quiet: Answered[]; reading: Answered[] }[] = []
  const reads: Read[][] = [[], []]
  const blocks: number[] = []
  for (const username of people) {
    const headers = await portal.headersOf(username)
    const small = await customerWith(portal, headers, 164)
    // The devices are in memory before, as on the way from the customer's page.
    for (const id of [small, NOTABLE.northwind])
      await get(portal.url, { path: `/api/portal/v1/customers/${id}/devices`, headers })
    reads[0]?.push(await readPoints(portal, headers, small))
    const quiet = await paced()
    await portal.gateway.ask('watch')
    const [reading, read] = await Promise.all([paced(), readPoints(portal, headers, NOTABLE.northwind)])
    blocks.push((await portal.gateway.ask<Usage>('watched')).heldCpuMs)
    reads[1]?.push(read)
    rounds.push({ quiet, reading })
  }
  bench.print(
    table(
      [
        `points of a customer, ${kind}, median of ${people.length}`,
        'first rows',
        'all',
        'goal',
        'upstream calls'
      ],
      reads.map((of, index) => {
        const [first] = of
        const { read, withoutService } = first?.answer.devices ?? { read: 0, withoutService: 0 }
        const ms = (part: 'firstMs' | 'allMs') => `${median(of.map((one) => one[part])).toFixed(0)} ms`
        const goal = GOALS[kind][index]
        return [
          `${read} devices (and ${withoutService} without), ${first?.answer.points.read} points`,
          ms('firstMs'),
          ms('allMs'),
          `≤ ${FIRST_ROWS_MS}, ≤ ${goal?.allMs} ms for ${goal?.points}`,
          median(of.map(({ calls }) => calls)).toFixed(0)
        ]
      })
    )
  )
  const others = rounds.map(({ quiet, reading }) => ({ quiet: othersOf(quiet), reading: othersOf(reading) }))
  bench.print(
    `\n${othersTable(`others, ${rate}/s, while points are read`, OTHERS_GOAL, ['quiet', 'reading'], others)}`
  )
  // The others wait longer than that, because the simulated API takes turns with their load on one core.
  bench.print(`Longest block of the gateway's main thread meanwhile: ${median(blocks).toFixed(1)} ms of CPU.`)
}

/** The customer whose number of devices is closest to this one. */
async function customerWith(
  portal: PortalApart,
  headers: Record<string, string>,
  devices: number
): Promise<string> {
  const path = `/api/portal/v1/organizations/${NOTABLE.partner}/customers?size=1000`
  const { items } = (await getJson(portal, headers, path)) as { items: { id: string; deviceCount: number }[] }
  const distance = ({ deviceCount }: { deviceCount: number }) => Math.abs(deviceCount - devices)
  return items.toSorted((a, b) => distance(a) - distance(b))[0]?.id ?? ''
}

async function readPoints(portal: PortalApart, headers: Record<string, string>, id: string): Promise<Read> {
  await portal.upstreamCalls()
  const startedAt = performance.now()
  let firstMs = 0
  for (;;) {
    const path = `/api/portal/v1/customers/${id}/points/values?name=Supply%20Air%20Temp&sort=fromMedian`
    const answer = (await getJson(portal, headers, path)) as SitePoints
    const ms = performance.now() - startedAt
    if (firstMs === 0 && answer.items.length > 0) firstMs = ms
    if (!answer.isReading) return { firstMs, allMs: ms, calls: await portal.upstreamCalls(), answer }
    await wait(POLL_MS)
  }
}

async function getJson(portal: PortalApart, headers: Record<string, string>, path: string): Promise<unknown> {
  const answer = await fetch(portal.url + path, { headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
  return answer.json()
}
