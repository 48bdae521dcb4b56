// What a person waits for with 50,000 alarms and 100,000 audit entries, in a real Chromium: from the deed to the frame
// that shows the answer, and how many calls that took. And what half an hour of refreshing leaves in the page.
import { existsSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { type Held, heldBy, NEXT_PAGE, paintedAfter, times } from './browser-page.ts'
import { quantile, table } from './figures.ts'
import { startPortalApart } from './portal-apart.ts'
import type { Bench, Benchmark } from './run.ts'

const ALARMS = 50_000
const AUDIT_ENTRIES = 100_000
/** What all of them are to stay below. */
const GOAL_MS = 100
const HALF_AN_HOUR_S = 1_800
const HEAP_GOAL_MB = 10
/** Until the code is compiled and what is kept for good is there. */
const WARM_UP_REFRESHES = 15

const ALARMS_PAGE = `/customers/${NOTABLE.northwind}/alarms`

interface Place {
  name: string
  path: string
  /** What changes with the answer. */
  shown: string
  /** A field, and what stands in it in turn: nothing that was found before may be at hand. */
  filter: { label: string; valueAt: (turn: number) => string; anewAfter: number }
  /** The calls that bring the list. */
  lists: (request: Request) => boolean
}

const BANDS = ['critical', 'high', 'medium', 'low'] as const
const BY_PRIORITY: Place['filter'] = {
  label: 'Priority',
  valueAt: (turn) => BANDS[turn % BANDS.length] ?? '',
  anewAfter: BANDS.length
}
/** Further back there are no entries. */
const DAYS = 60
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const searches = (request: Request) =>
  /alarms:search\?page=\d+&size=\d\d+|\/alarms\?sort=/.test(request.url())
const PLACES: readonly Place[] = [
  {
    name: 'alarms',
    path: `${ALARMS_PAGE}?show=all&range=all`,
    shown: 'tbody',
    filter: BY_PRIORITY,
    lists: searches
  },
  {
    name: 'alarms that need action',
    path: `${ALARMS_PAGE}?range=all`,
    shown: 'tbody',
    filter: BY_PRIORITY,
    lists: searches
  },
  {
    name: 'audit log',
    path: '/auditlog?range=custom',
    shown: '.audit-rows',
    filter: { label: 'To', valueAt: (turn) => dayAgo(turn % DAYS), anewAfter: DAYS },
    lists: (request) => /\/auditLogs\?/.test(request.url())
  }
]

/** Pages that read themselves again, and how often. */
const REFRESHING = [
  { name: 'alarms', path: `${ALARMS_PAGE}?show=all&range=all`, everySeconds: 20, lists: searches },
  {
    name: 'exports, one running',
    path: '/exports',
    everySeconds: 5,
    lists: (request: Request) => /\/egress\/exports\?/.test(request.url())
  }
]

export const browserSites: Benchmark = { name: 'browser-sites', weight: 2, run }

async function run(bench: Bench): Promise<void> {
  if (!existsSync('dist/client/index.html')) throw new Error('build the client first: npm run build')
  const portal = await startPortalApart(bench, { alarms: ALARMS, auditEntries: AUDIT_ENTRIES })
  const browser = await startBrowser(bench)
  const page = await portal.signIn(browser, 'partner.admin', ALARMS_PAGE)

  const seconds = bench.seconds / (2 * PLACES.length)
  const rows: (string | number)[][] = []
  for (const place of PLACES) {
    await open(page, place)
    rows.push(await measured(page, place, 'next page', seconds, () => NEXT_PAGE))
    let turn = 0
    const { label, valueAt, anewAfter } = place.filter
    rows.push(
      await measured(page, place, 'filter', seconds, async () => {
        turn += 1
        if (turn % anewAfter === 0) await askAnew(page)
        return filling(label, valueAt(turn))
      })
    )
  }
  bench.print(
    table(
      [
        `${ALARMS} alarms, ${AUDIT_ENTRIES} entries`,
        'times',
        'p50, ms',
        'p95, ms',
        'goal',
        'list calls each',
        'other calls'
      ],
      rows
    )
  )

  const kept: (string | number)[][] = []
  for (const one of REFRESHING) kept.push(await halfAnHour(page, one))
  bench.print('')
  bench.print(
    table(
      [
        '30 minutes of refreshing',
        'refreshes',
        'heap before, MB',
        'after',
        `more (goal < ${HEAP_GOAL_MB})`,
        'DOM nodes before',
        'after'
      ],
      kept
    )
  )
}

async function open(page: Page, { path, shown }: Place): Promise<void> {
  await page.goto(path)
  await page.getByText(/^1–25 of /).waitFor()
  await page.locator(shown).waitFor()
  const refreshing = page.getByRole('switch', { name: /^Refresh every/ })
  if ((await refreshing.count()) > 0) await refreshing.uncheck()
  await page.waitForLoadState('networkidle')
}

async function measured(
  page: Page,
  { name, shown, lists }: Place,
  deed: string,
  seconds: number,
  next: () => string | Promise<string>
): Promise<(string | number)[]> {
  let [listCalls, otherCalls] = [0, 0]
  const count = (request: Request) => {
    if (lists(request)) listCalls += 1
    else if (request.url().includes('/api/')) otherCalls += 1
  }
  const ms = await times(seconds, async () => {
    const deed = await next()
    page.on('request', count)
    const took = await paintedAfter(page, deed, shown)
    // What the change has set off is under way by now.
    await page.waitForLoadState('networkidle')
    page.off('request', count)
    return took
  })
  const [p50, p95] = [quantile(ms, 0.5), quantile(ms, 0.95)].map((value) => value.toFixed(0))
  const each = (listCalls / (ms.length + 1)).toFixed(2)
  return [`${name}: ${deed}`, ms.length, p50 ?? '', p95 ?? '', `≤ ${GOAL_MS}`, each, otherCalls]
}

/** From now on every answer has to be fetched once more. */
async function askAnew(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await page.waitForLoadState('networkidle')
}

/** The deed of choosing or typing a value, as React hears of it. */
function filling(label: string, value: string): string {
  return `const field = [...document.querySelectorAll('label')]
      .find((one) => one.textContent === ${JSON.stringify(label)}).control;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, ${JSON.stringify(value)});
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));`
}

/** As many refreshes as half an hour brings: the page's clock is set on from one to the next. */
async function halfAnHour(
  page: Page,
  { name, path, everySeconds, lists }: (typeof REFRESHING)[number]
): Promise<(string | number)[]> {
  const context = await page
    .context()
    .browser()
    ?.newContext({
      baseURL: new URL(page.url()).origin,
      storageState: await page.context().storageState()
    })
  if (!context) throw new Error('the browser has gone')
  const own = await context.newPage()
  await own.clock.install()
  await own.goto(path)
  await own.getByText(/^1–\d+ of /).waitFor()
  const session = await context.newCDPSession(own)
  const refresh = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      const answered = own.waitForResponse((answer) => lists(answer.request()))
      await own.clock.runFor(everySeconds * 1000)
      await (await answered).finished()
    }
  }
  await refresh(WARM_UP_REFRESHES)
  const before: Held = await heldBy(session)
  const count = HALF_AN_HOUR_S / everySeconds
  await refresh(count)
  const after = await heldBy(session)
  await context.close()
  const more = after.heapMb - before.heapMb
  return [
    name,
    count,
    before.heapMb.toFixed(1),
    after.heapMb.toFixed(1),
    more.toFixed(1),
    before.domNodes,
    after.domNodes
  ]
}
