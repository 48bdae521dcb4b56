// Measures a first visit on a slow line in Chromium with an empty cache: time to the first text and to the page's list, and
// the layout shift.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { table } from './figures.ts'
import { type Bench, type Benchmark, middle, takeRounds } from './frame.ts'
import { startPortalApart } from './portal-apart.ts'

const LINE = { latencyMs: 400, kilobits: 400 }
const TIMEOUT_MS = 60_000
const FIRST_TEXT_GOAL_MS = 1_500
const SHIFT_GOAL = 0.02
const PEOPLE = ['partner.admin', 'customer.user', 'global.admin']
const SCREENS: Record<string, BrowserContextOptions> = {
  'desktop, 1440': { viewport: { width: 1440, height: 900 } },
  'tablet, 1024': { viewport: { width: 1024, height: 768 }, hasTouch: true },
  'phone, 390': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
}

interface Target {
  path: string
  selector: string
  goalMs: number
}

const DEVICES = '.devices a[href*="deviceUuid"]'
const PLACES: Record<string, Target> = {
  customers: {
    path: `/integrators/${NOTABLE.partner}`,
    selector: '.customers :is(.customer-card, th > a)',
    goalMs: 4_000
  },
  devices: { path: `/customers/${NOTABLE.northwind}`, selector: DEVICES, goalMs: 5_000 }
}

interface Visit {
  text: number
  list: number
  shift: number
  kilobytes: number
}

export const slowLine: Benchmark = { name: 'slow-line', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const portal = await startPortalApart(bench)
  const browser = await startBrowser(bench)
  const visits = new Map<string, () => Promise<Visit>>()
  const goals = new Map<string, number>()
  for (const person of PEOPLE) {
    const cookies = await (await portal.open(browser, person, '/')).context().cookies()
    for (const [screen, options] of Object.entries(SCREENS))
      for (const [name, place] of Object.entries(placesOf(person))) {
        const kind = `${person}, ${screen}: ${name}`
        const signedIn = { ...options, baseURL: portal.url, storageState: { cookies, origins: [] } }
        visits.set(kind, () => firstVisit(browser, signedIn, place))
        goals.set(kind, place.goalMs)
      }
  }
  const kinds = [...visits.keys()]
  const take = (kind: string) => visits.get(kind)?.() as Promise<Visit>
  const rounds = await takeRounds(kinds, take, { seconds: bench.seconds, atLeast: 1, atMost: 3 })
  const rows = kinds.map((kind) => [
    kind,
    middle(rounds, kind, ({ text }) => text).toFixed(0),
    middle(rounds, kind, ({ list }) => list).toFixed(0),
    `≤ ${goals.get(kind)}`,
    middle(rounds, kind, ({ shift }) => shift).toFixed(3),
    middle(rounds, kind, ({ kilobytes }) => kilobytes).toFixed(0)
  ])
  const line = `${LINE.latencyMs} ms, ${LINE.kilobits} kbit/s, ${rounds.length} rounds`
  const head = [line, `first text ms (goal ${FIRST_TEXT_GOAL_MS})`, 'list ms', 'goal']
  bench.print(table([...head, `layout shift (goal ${SHIFT_GOAL})`, 'kB until the list'], rows))
}

function placesOf(person: string): Record<string, Target> {
  const { customers, devices } = PLACES as { customers: Target; devices: Target }
  if (person === 'global.admin')
    return { customers, devices: { ...devices, path: `${customers.path}${devices.path}` } }
  if (person === 'partner.admin') return { customers: { ...customers, path: '/' }, devices }
  return { devices }
}

async function firstVisit(
  browser: Browser,
  options: BrowserContextOptions,
  { path, selector }: Target
): Promise<Visit> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const bytesPerSecond = (LINE.kilobits * 1000) / 8
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LINE.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond
  })
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.addInitScript(watch(selector))
  await page.goto(path, { waitUntil: 'commit' })
  const result = await watched(page)
  await context.close()
  return { ...result, kilobytes: bytes / 1000 }
}

const watch = (selector: string) => `{
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  const check = () => {
    if (document.querySelector(${JSON.stringify(selector)})) requestAnimationFrame(() => { window.shownAt = performance.now() })
    else requestAnimationFrame(check)
  }
  check()
}`

function watched(page: Page): Promise<Omit<Visit, 'kilobytes'>> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const check = () => {
      const text = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
      if (window.shownAt !== undefined) resolve({ text, list: window.shownAt, shift: window.shift })
      else if (performance.now() > ${TIMEOUT_MS}) reject(new Error('no list shows at ' + location.href))
      else requestAnimationFrame(check)
    }
    check()
  })`)
}
