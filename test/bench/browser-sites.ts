// What a person waits for with 50,000 alarms and 100,000 audit entries, in a real Chromium: from the deed to the frame
// that shows the answer, and how many calls that took. And what half an hour of refreshing leaves in the page.
import { existsSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import { startBrowser } from '#test/e2e/browser.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
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
  /** A list that is chosen from, and what is chosen in turn. */
  filter: { label: string; values: readonly string[] }
  /** The calls that bring the list. */
  lists: (request: Request) => boolean
}

const searches = (request: Request) => /alarms:search\?page=\d+&size=\d\d+/.test(request.url())
const PLACES: readonly Place[] = [
  {
    name: 'alarms',
    path: `${ALARMS_PAGE}?show=all&range=all`,
    shown: 'tbody',
    filter: { label: 'Priority', values: ['critical', 'high', 'medium', 'low'] },
    lists: searches
  },
  {
    name: 'alarms that need action',
    path: `${ALARMS_PAGE}?range=all`,
    shown: 'tbody',
    filter: { label: 'Priority', values: ['critical', 'high', 'medium', 'low'] },
    lists: searches
  },
  {
    name: 'audit log',
    path: '/auditlog?range=custom',
    shown: '.audit-rows',
    filter: { label: 'Outcome', values: ['SUCCESS', 'FAILURE', 'DENIED'] },
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
    const { label, values } = place.filter
    rows.push(
      await measured(page, place, 'filter', seconds, () => {
        turn += 1
        return choosing(label, values[turn % values.length] ?? '')
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
  next: () => string
): Promise<(string | number)[]> {
  let [listCalls, otherCalls] = [0, 0]
  const count = (request: Request) => {
    if (lists(request)) listCalls += 1
    else if (request.url().includes('/api/')) otherCalls += 1
  }
  page.on('request', count)
  const ms = await times(seconds, () => paintedAfter(page, next(), shown))
  // What a change has set off is under way by now.
  await page.waitForLoadState('networkidle')
  page.off('request', count)
  const [p50, p95] = [quantile(ms, 0.5), quantile(ms, 0.95)].map((value) => value.toFixed(0))
  const each = (listCalls / (ms.length + 1)).toFixed(2)
  return [`${name}: ${deed}`, ms.length, p50 ?? '', p95 ?? '', `≤ ${GOAL_MS}`, each, otherCalls]
}

/** The deed of choosing from a list, as React hears of it. */
function choosing(label: string, value: string): string {
  return `const select = [...document.querySelectorAll('label')]
      .find((one) => one.textContent === ${JSON.stringify(label)}).control;
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, ${JSON.stringify(value)});
    select.dispatchEvent(new Event('change', { bubbles: true }));`
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
