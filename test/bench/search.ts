// The search for a device over 200 customers with 100,000 devices: how long a person waits for the first and for all of what
// is found, what it costs the upstream, and what others notice of it. And how soon the palette shows what was typed, at a
// customer of 10,000 devices.
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { DeviceSearch } from '#shared/entities.ts'
import type { Sandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { freePort, signIn } from '#test/support/portal.ts'
import { sentCookies } from '../support/sent-cookies.ts'
import { times } from './browser-page.ts'
import { OTHER_CORE } from './cores.ts'
import { latencyOf, median, quantile, table } from './figures.ts'
import { type PortalApart, startPortalApart } from './portal-apart.ts'
import { startProgram, startServer } from './program.ts'
import type { Answered, Call, PacedLoad } from './programs/load.ts'
import type { Hold } from './programs/usage.ts'
import type { Bench, Benchmark } from './run.ts'

/** With the 45 that there are, and the one of 10,000 devices: 200 customers. */
const MORE_CUSTOMERS = 154
const LARGEST = 10_000
const LATENCY_MS = 25
/** They see the same customers, each with other roles: what one of them has read is cold for the next. */
const PEOPLE = ['partner.admin', 'partner.user', 'niagara.remote', 'nds.operator']
/** Calls of somebody else, a second: passed on to an API that answers at once, and pages of devices that are at hand. */
const RATE = 100
const KINDS = ['passed on', 'pages of devices'] as const
const KEYS_PER_SECOND = 5
const GOAL_MS = 300
const GOAL_P99 = 1.3
const TYPED = [
  'c',
  'ch',
  'chi',
  'chil',
  'chill',
  'a',
  'ahu-1',
  'boiler plant 2',
  'jace-a',
  'titan',
  'zzz',
  '4a8'
]

export const search: Benchmark = { name: 'search', weight: 3, alone: true, run }

interface Searched {
  firstMs: number
  allMs: number
  last: DeviceSearch
}

/** A turn of others' calls, and of what was done beside them. */
interface Turn {
  others: Answered[]
  upstreamCalls: number
  /** Of the gateway, all its threads. */
  cpuMs: number
  /** The longest time that the main thread of the gateway computed without a pause. */
  holdMs: number
}

interface Round {
  quiet: Turn
  cold: Turn & Searched
  warm: Turn & { ms: number[] }
}

async function run(bench: Bench): Promise<void> {
  if (!existsSync('dist/client/index.html')) throw new Error('build the client first: npm run build')
  const options = { customers: MORE_CUSTOMERS, devices: LARGEST, latencyMs: LATENCY_MS }
  // A few people make the calls of many.
  const portal = await startPortalApart(bench, options, {
    SESSION_CALLS_PER_MINUTE: '1000000',
    CALLS_IN_FLIGHT: '1000',
    UPSTREAM_RECOVER_URL: await startPlainUpstream(bench)
  })
  const load = startProgram('programs/load.ts', { core: OTHER_CORE })
  bench.teardown(() => load.stop())

  const others = await headersOf(portal, 'customer.user')
  const path = `/api/portal/v1/customers/${NOTABLE.northwind}/devices`
  await ask(portal, path, others)
  const calls = Array.from({ length: 40 }, (_, page): Call[] => [
    { path: `/api/v1/recover/customers/${NOTABLE.northwind}/backups`, headers: others },
    { path: `${path}?page=${page}`, headers: others }
  ])
  await load.ask('prepare', { calls: calls.flat() })
  const paced = (seconds: number) =>
    load.ask<Answered[]>('paced', {
      origin: portal.url,
      rate: RATE,
      count: Math.ceil(RATE * seconds),
      seconds: seconds + 30
    } satisfies PacedLoad)

  await paced(3)
  const seconds = Math.max(4, (bench.seconds * 0.6) / (3 * PEOPLE.length))
  const rounds: Round[] = []
  for (const person of PEOPLE) rounds.push(await round(portal, person, paced, seconds))
  bench.print(searchTable(rounds))
  bench.print(`\n${await palette(bench, portal, bench.seconds * 0.4)}`)
}

/** Costs next to nothing, so that what it is called through shows. */
async function startPlainUpstream(bench: Bench): Promise<string> {
  const port = await freePort()
  const program = await startServer('programs/upstream.ts', port, { core: OTHER_CORE })
  bench.teardown(() => program.stop())
  return `http://127.0.0.1:${port}`
}

async function round(
  portal: PortalApart,
  person: string,
  paced: (seconds: number) => Promise<Answered[]>,
  seconds: number
): Promise<Round> {
  const headers = await headersOf(portal, person)

  async function turn<T>(work: () => Promise<T>): Promise<Turn & T> {
    await portal.upstreamCalls()
    await portal.gateway.ask('watchLoop')
    const before = await portal.gateway.ask<number>('cpu')
    const [others, done] = await Promise.all([paced(seconds), work()])
    const cpuMs = ((await portal.gateway.ask<number>('cpu')) - before) / 1000
    const { cpuMs: holdMs } = await portal.gateway.ask<Hold>('longestHold')
    return { others, cpuMs, holdMs, upstreamCalls: await portal.upstreamCalls(), ...done }
  }

  async function type() {
    const ms: number[] = []
    for (let key = 0; key < seconds * KEYS_PER_SECOND; key += 1) {
      const pause = wait(1000 / KEYS_PER_SECOND)
      ms.push((await searchFor(portal, headers, TYPED[key % TYPED.length] ?? '')).allMs)
      await pause
    }
    return { ms }
  }

  const quiet = await turn(async () => ({}))
  const cold = await turn(() => searchFor(portal, headers, 'chiller'))
  return { quiet, cold, warm: await turn(type) }
}

async function headersOf(portal: PortalApart, person: string): Promise<Record<string, string>> {
  const { jar } = await signIn(portal.url, portal.sandbox as Sandbox, person)
  return { cookie: (await sentCookies(jar)).join('; '), 'x-portal-csrf': '1' }
}

async function ask(portal: PortalApart, path: string, headers: Record<string, string>): Promise<void> {
  const { statusCode, body } = await request(portal.url + path, { headers })
  await body.dump()
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
}

async function searchFor(portal: PortalApart, headers: Record<string, string>, q: string): Promise<Searched> {
  const path = `/api/portal/v1/organizations/${NOTABLE.partner}/search?${new URLSearchParams({ q })}`
  const begun = performance.now()
  const { statusCode, body } = await request(portal.url + path, {
    headers: { ...headers, accept: 'application/x-ndjson' }
  })
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
  let [text, firstMs] = ['', 0]
  for await (const chunk of body) {
    text += chunk
    if (firstMs === 0 && /"items":\[\{/.test(text)) firstMs = performance.now() - begun
  }
  const allMs = performance.now() - begun
  const last = JSON.parse(text.trim().split('\n').at(-1) ?? '') as DeviceSearch
  return { firstMs, allMs, last }
}

function searchTable(rounds: readonly Round[]): string {
  const ms = (value: number, digits = 0) => `${value.toFixed(digits)} ms`
  const list = (values: readonly number[], digits = 0) =>
    values.map((value) => value.toFixed(digits)).join(' ')
  const keys = rounds.flatMap(({ warm }) => warm.ms)
  // The calls of both kinds take turns.
  const p99 = ({ others }: Turn, kind: number) =>
    latencyOf(others.filter((_, index) => index % KINDS.length === kind).map((one) => one.ms)).p99
  const p99Rows = KINDS.flatMap((kind, index) => {
    const beside = (['cold', 'warm'] as const).map((name) => {
      const ratios = rounds.map((one) => p99(one[name], index) / p99(one.quiet, index))
      const words = `the same beside a ${name} search, by quiet: ${list(ratios, 2)}, median`
      return [words, median(ratios).toFixed(2), `≤ ${GOAL_P99}`]
    })
    const quiet = rounds.map((one) => p99(one.quiet, index))
    return [[`others, ${kind}: p99 quiet, ms`, list(quiet, 1), ''], ...beside]
  })
  const more = (name: 'cold' | 'warm') =>
    median(rounds.map(({ quiet, ...one }) => one[name].cpuMs - quiet.cpuMs))
  const failed = rounds
    .flatMap(({ quiet, cold, warm }) => [quiet, cold, warm].flatMap(({ others }) => others))
    .filter(({ status }) => status !== 200).length
  const { read, of } = rounds[0]?.cold.last.customers ?? { read: 0, of: 0 }
  return table(
    [`${read} of ${of} customers searched, ${rounds.length} people`, 'measured', 'goal'],
    [
      ['cold: first devices, median', ms(median(rounds.map(({ cold }) => cold.firstMs))), ''],
      ['cold: all, median', ms(median(rounds.map(({ cold }) => cold.allMs))), ''],
      ['cold: upstream calls', list(rounds.map(({ cold }) => cold.upstreamCalls)), ''],
      ['cold: processor time of the gateway, median', ms(more('cold')), ''],
      [`warm: all, ${keys.length} keys, median`, ms(median(keys)), ''],
      ['warm: all, 95 of 100', ms(quantile(keys, 0.95)), `≤ ${GOAL_MS} ms`],
      ['warm: upstream calls', list(rounds.map(({ warm }) => warm.upstreamCalls)), ''],
      [
        'warm: processor time of the gateway, a key, median',
        ms((more('warm') * rounds.length) / keys.length, 1),
        ''
      ],
      [
        'main thread held, processor time: quiet, cold, warm, medians',
        list(
          (['quiet', 'cold', 'warm'] as const).map((name) => median(rounds.map((one) => one[name].holdMs))),
          1
        ),
        ''
      ],
      ...p99Rows,
      ['others: failed', failed, '0']
    ]
  )
}

/** From a key to the frame that shows everything that is found, the pause after typing included. */
async function palette(bench: Bench, portal: PortalApart, seconds: number): Promise<string> {
  const browser = await startBrowser(bench)
  const page = await portal.signIn(browser, 'partner.admin', `/customers/${NOTABLE.huge}`)
  await page.locator('tbody tr').first().waitFor({ timeout: 120_000 })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Jump to' }).waitFor()
  const words = [
    'fan',
    'supply air',
    'chiller 1',
    'temp',
    'ahu-1 supply',
    'setpoint',
    'boiler',
    'damper',
    'jace-a'
  ]
  let turn = 0
  const typed = () => {
    turn += 1
    const word = words[turn % words.length] ?? ''
    return page.evaluate<number>(foundAfter(cased(word, Math.ceil(turn / words.length))))
  }
  for (const word of words) await page.evaluate(foundAfter(word))
  const ms = await times(seconds, typed)
  const points = await page.evaluate<string>(
    `fetch('/api/portal/v1/customers/${NOTABLE.huge}/points?q=slot', { headers: { 'x-portal-csrf': '1' } })
      .then((answer) => answer.json()).then(({ totals }) => String(totals.tagValues))`
  )
  return table(
    [`palette at ${LARGEST} devices, ${points} points`, 'measured', 'goal'],
    [
      [`key to all results painted, ${ms.length} keys, median`, `${quantile(ms, 0.5).toFixed(0)} ms`, ''],
      ['the same, 95 of 100', `${quantile(ms, 0.95).toFixed(0)} ms`, `≤ ${GOAL_MS} ms`]
    ]
  )
}

/** The same text to every search, and another one to what keeps answers: each number has its own capitals. */
function cased(word: string, number: number): string {
  return [...word].map((letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)).join('')
}

/** Types a text, and waits until the palette has searched for it. */
function foundAfter(text: string): string {
  return `new Promise((resolve, reject) => {
    const field = document.querySelector('.jump-field input')
    const status = () => document.querySelector('.jump-status [role="status"]')?.textContent ?? ''
    const began = performance.now()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)})
    field.dispatchEvent(new Event('input', { bubbles: true }))
    let searching = false
    const look = () => {
      searching ||= status().startsWith('Searching')
      if (performance.now() - began > 20000) reject(new Error('nothing was found for ' + field.value))
      else if (!searching || status().startsWith('Searching')) requestAnimationFrame(look)
      else requestAnimationFrame(() => resolve(performance.now() - began))
    }
    requestAnimationFrame(look)
  })`
}
