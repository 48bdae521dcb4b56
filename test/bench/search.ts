// Measures the device search over 200 customers with 100,000 devices: time to the first and to all results, upstream calls,
// and the delay of other calls. Then measures reading the points of all devices of a customer, and the search in the list of
// one customer's devices, in a browser.
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { DeviceSearch } from '#shared/answers/customers.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { median, quantile, table } from './figures.ts'
import {
  type Bench,
  type Benchmark,
  middle,
  othersOf,
  othersTable,
  type Rounds,
  takeRounds
} from './frame.ts'
import { measureKeys } from './key-to-rows.ts'
import { type PortalApart, startPortalApart } from './portal-apart.ts'
import { startServer } from './program.ts'
import type { Answered, Call } from './programs/load.ts'
import type { Usage } from './programs/usage.ts'
import { get, startLoad } from './scene.ts'
import { measureSitePoints } from './site-points.ts'

const SANDBOX = { customers: 154, devices: 10_000, latencyMs: 25 }
const PEOPLE = ['partner.admin', 'partner.user', 'niagara.remote', 'nds.operator']
/** Other calls per second: half are proxied, half read pages of devices from memory. */
const RATE = 100
/** Goals for the ratio of p99 with searches to p99 without, by kind of call. */
const OTHERS_GOALS = { proxied: 2, 'pages of devices': 3 } as const
const KEYS_PER_SECOND = 5
const KEY_GOAL_MS = 300
const WORDS = ['c', 'ch', 'chi', 'chil', 'chill', 'ahu-1', 'boiler plant 2', 'jace-a', 'titan', 'zzz', '4a8']
const KINDS = ['quiet', 'cold', 'warm'] as const
type Kind = (typeof KINDS)[number]

interface Turn extends Usage {
  others: Answered[]
  searches: Searched[]
  upstreamCalls: number
}

interface Searched {
  firstMs: number
  allMs: number
  customers: DeviceSearch['customers']
}

export const search: Benchmark = { name: 'search', weight: 3, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const plain = await startServer(bench, 'programs/upstream.ts')
  const settings = {
    // A few sessions make all calls.
    SESSION_CALLS_PER_MINUTE: '1000000',
    CALLS_IN_FLIGHT: '1000',
    UPSTREAM_RECOVER_URL: plain.origin
  }
  const portal = await startPortalApart(bench, SANDBOX, settings)
  const headers = await portal.headersOf('customer.user')
  const path = `/api/portal/v1/customers/${NOTABLE.northwind}/devices`
  await get(portal.url, { path, headers })
  // Alternate both kinds of calls.
  const callsOf = (headers: Record<string, string>) =>
    Array.from({ length: 40 }, (_, page): Call[] => [
      { path: `/api/v1/recover/customers/${NOTABLE.northwind}/backups`, headers },
      { path: `${path}?page=${page}`, headers }
    ]).flat()
  const load = await startLoad(bench, callsOf(headers))
  await load.paced(portal.url, RATE, 3)

  const seconds = Math.max(4, bench.seconds / (KINDS.length * PEOPLE.length))
  const remainingPeople = [...PEOPLE]
  let person: Record<string, string> = {}
  async function take(kind: Kind): Promise<Turn> {
    await portal.upstreamCalls()
    await portal.gateway.ask('watch')
    const [others, searches] = await Promise.all([
      load.paced(portal.url, RATE, seconds),
      kind === 'quiet'
        ? []
        : kind === 'cold'
          ? [await searchFor(portal, person, 'chiller')]
          : typeKeys(portal, person, seconds)
    ])
    const usage = await portal.gateway.ask<Usage>('watched')
    return { others, searches, ...usage, upstreamCalls: await portal.upstreamCalls() }
  }
  const rounds: Record<Kind, Turn>[] = []
  while (remainingPeople.length > 0) {
    person = await portal.headersOf(remainingPeople.shift() ?? '')
    // A single round keeps the order: cold before warm.
    rounds.push(...(await takeRounds(KINDS, take, { seconds: 0, atLeast: 1, atMost: 1 })))
  }
  bench.print(searchTable(rounds))
  for (const [offset, [name, goal]] of Object.entries(OTHERS_GOALS).entries()) {
    const part = ({ others }: Turn) => othersOf(others.filter((_, index) => index % 2 === offset))
    const rows = rounds.map(({ quiet, cold, warm }) => ({
      quiet: part(quiet),
      cold: part(cold),
      warm: part(warm)
    }))
    bench.print(`\n${othersTable(`others, ${name}, ${RATE / 2}/s`, goal, KINDS, rows)}`)
  }
  const points = { load, rate: RATE, people: PEOPLE, seconds }
  await measureSitePoints(bench, 'at once', { portal, ...points })
  const other = await startPortalApart(bench, { ...SANDBOX, asksForSystem: true }, settings)
  const otherHeaders = await other.headersOf('customer.user')
  await get(other.url, { path, headers: otherHeaders })
  const otherLoad = await startLoad(bench, callsOf(otherHeaders))
  await measureSitePoints(bench, 'each device', { portal: other, ...points, load: otherLoad })
  await measureKeys(bench, portal, seconds)
}

async function typeKeys(
  portal: PortalApart,
  headers: Record<string, string>,
  seconds: number
): Promise<Searched[]> {
  const searches: Searched[] = []
  while (searches.length < seconds * KEYS_PER_SECOND) {
    const pause = wait(1000 / KEYS_PER_SECOND)
    searches.push(await searchFor(portal, headers, WORDS[searches.length % WORDS.length] ?? ''))
    await pause
  }
  return searches
}

async function searchFor(portal: PortalApart, headers: Record<string, string>, q: string): Promise<Searched> {
  const path = `/api/portal/v1/organizations/${NOTABLE.partner}/search?${new URLSearchParams({ q })}`
  const startedAt = performance.now()
  const { statusCode, body } = await request(portal.url + path, {
    headers: { ...headers, accept: 'application/x-ndjson' }
  })
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
  let [text, firstMs] = ['', 0]
  for await (const chunk of body) {
    text += chunk
    if (firstMs === 0 && /"items":\[\{/.test(text)) firstMs = performance.now() - startedAt
  }
  const { customers } = JSON.parse(text.trim().split('\n').at(-1) ?? '') as DeviceSearch
  return { firstMs, allMs: performance.now() - startedAt, customers }
}

function searchTable(rounds: Rounds<Kind, Turn>): string {
  const cold = rounds.flatMap((round) => round.cold.searches)
  const lags = rounds.flatMap((round) => round.warm.searches.map(({ allMs }) => allMs))
  const extraMs = (kind: Kind) => median(rounds.map((round) => round[kind].cpuMs - round.quiet.cpuMs))
  const calls = (kind: Kind) => rounds.map((round) => round[kind].upstreamCalls).join(' ')
  const blocks = KINDS.map((kind) => middle(rounds, kind, ({ heldCpuMs }) => heldCpuMs).toFixed(1)).join(', ')
  const { read, of } = cold[0]?.customers ?? { read: 0, of: 0 }
  const ms = (value: number, digits = 0) => `${value.toFixed(digits)} ms`
  return table(
    [`${read} of ${of} customers searched by ${rounds.length} people`, 'measured', 'goal'],
    [
      ['cold: first devices, median', ms(median(cold.map(({ firstMs }) => firstMs))), ''],
      ['cold: all devices, median', ms(median(cold.map(({ allMs }) => allMs))), ''],
      ['cold: upstream calls', calls('cold'), ''],
      ['cold: gateway CPU, median', ms(extraMs('cold')), ''],
      [`warm: median of ${lags.length} keystrokes`, ms(median(lags)), ''],
      ['warm: p95', ms(quantile(lags, 0.95)), `≤ ${KEY_GOAL_MS} ms`],
      ['warm: upstream calls', calls('warm'), ''],
      ['warm: gateway CPU per keystroke, median', ms((extraMs('warm') * rounds.length) / lags.length, 1), ''],
      ['longest block of the main thread, CPU ms: quiet, cold, warm', blocks, '']
    ]
  )
}
