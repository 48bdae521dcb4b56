// A cold start on a slow line, in a real Chromium: with nothing in its cache, from the address to the first text, to the
// customers and to the devices of one. `npm run bench -- slow-line`.
import { existsSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { median, table } from './figures.ts'
import { startPortalApart } from './portal-apart.ts'
import type { Bench, Benchmark } from './run.ts'

const LINE = { latencyMs: 400, kilobits: 400 }
const ROUNDS = 3
const GIVEN_UP_MS = 30_000

interface Place {
  name: string
  path: string
  /** Something of the list that the page is about. */
  shown: string
  goalMs: number
}

const FIRST_TEXT_GOAL_MS = 1_500
const PLACES: readonly Place[] = [
  { name: 'customers', path: '/', shown: 'a.customer-card', goalMs: 3_500 },
  {
    name: 'devices',
    path: `/customers/${NOTABLE.northwind}`,
    shown: '.devices a[href*="deviceUuid"]',
    goalMs: 5_000
  }
]

export const slowLine: Benchmark = { name: 'slow-line', weight: 2, alone: true, run }

async function run(bench: Bench): Promise<void> {
  if (!existsSync('dist/client/index.html')) throw new Error('build the client first: npm run build')
  const portal = await startPortalApart(bench, {})
  const browser = await startBrowser(bench)
  const known = (await portal.signIn(browser, 'partner.admin', '/')).context()
  const rows: (string | number)[][] = []
  for (const place of PLACES) {
    const times: Times[] = []
    while (times.length < ROUNDS) times.push(await coldStart(browser, known, portal.url, place))
    const middle = (of: (times: Times) => number) => median(times.map(of)).toFixed(0)
    rows.push([
      place.name,
      middle(({ text }) => text),
      `≤ ${FIRST_TEXT_GOAL_MS}`,
      middle(({ list }) => list),
      `≤ ${place.goalMs}`,
      middle(({ kilobytes }) => kilobytes)
    ])
  }
  const line = `${LINE.latencyMs} ms, ${LINE.kilobits} kbit/s`
  bench.print(
    table(
      [`${line}, medians of ${ROUNDS}`, 'first text, ms', 'goal', 'list, ms', 'goal', 'kB until then'],
      rows
    )
  )
}

interface Times {
  text: number
  list: number
  kilobytes: number
}

async function coldStart(
  browser: Browser,
  known: BrowserContext,
  url: string,
  { path, shown }: Place
): Promise<Times> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: await known.cookies(), origins: [] }
  })
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
  await page.addInitScript(watch(shown))
  await page.goto(path, { waitUntil: 'commit' })
  const times = await watched(page)
  await context.close()
  return { ...times, kilobytes: bytes / 1000 }
}

/** Notes the frame after the first that has it. */
const watch = (shown: string) => `{
  const look = () => {
    if (document.querySelector(${JSON.stringify(shown)})) requestAnimationFrame(() => { window.shownAt = performance.now() })
    else requestAnimationFrame(look)
  }
  look()
}`

function watched(page: Page): Promise<{ text: number; list: number }> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const look = () => {
      const text = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
      if (window.shownAt !== undefined) resolve({ text, list: window.shownAt })
      else if (performance.now() > ${GIVEN_UP_MS}) reject(new Error('nothing shows at ' + location.href))
      else requestAnimationFrame(look)
    }
    look()
  })`)
}
