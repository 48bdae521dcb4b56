// What a person waits for with 10,000 users and 1,000 service accounts, in a real Chromium: from the click to the frame
// that shows the answer. Gateway and sandbox run in processes of their own.
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { clicking, NEXT_PAGE, paintedAfter, times } from './browser-page.ts'
import { quantile, table } from './figures.ts'
import { startPortalApart } from './portal-apart.ts'
import type { Bench, Benchmark } from './run.ts'

const USERS = 10_000
const SERVICE_ACCOUNTS = 1_000
/** What both lists are to stay below. */
const GOAL_MS = 100

export const browserPeople: Benchmark = { name: 'browser-people', weight: 1, run }

async function run(bench: Bench): Promise<void> {
  if (!existsSync('dist/client/index.html')) throw new Error('build the client first: npm run build')
  const portal = await startPortalApart(bench, { users: USERS, serviceAccounts: SERVICE_ACCOUNTS })
  const browser = await startBrowser(bench)
  const page = await portal.signIn(browser, 'partner.admin', '/users')
  const seconds = bench.seconds / 4

  await page.getByText(/^1–15 of /).waitFor()
  const rows = [
    ['users: next page', await times(seconds, () => nextPage(page))],
    ['users: sort', await times(seconds, () => sortAnew(page))]
  ] as [string, number[]][]

  await page.goto(`/customers/${NOTABLE.northwind}/serviceaccount`)
  await page.getByText(/^1–15 of /).waitFor()
  rows.push(['service accounts: next page', await times(seconds, () => nextPage(page))])
  rows.push(['service accounts: sort', await times(seconds, () => sort(page, 'Name'))])

  bench.print(
    table(
      ['until it is painted, ms', 'times', 'p50', 'p95', 'goal'],
      rows.map(([name, ms]) => [
        name,
        ms.length,
        quantile(ms, 0.5).toFixed(0),
        quantile(ms, 0.95).toFixed(0),
        `≤ ${GOAL_MS}`
      ])
    )
  )
}

const nextPage = (page: Page) => paintedAfter(page, NEXT_PAGE)
const sort = (page: Page, column: string) => paintedAfter(page, clicking('thead th button', column))

/** After a page load, so that no answer is at hand. */
async function sortAnew(page: Page): Promise<number> {
  await page.goto('/users')
  await page.getByText(/^1–15 of /).waitFor()
  return sort(page, 'E-mail')
}
