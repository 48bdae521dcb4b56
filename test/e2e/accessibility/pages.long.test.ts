import t from 'tap'
import { browserTest, visit } from '../../support/browser/browser.ts'
import { problemsOf } from '../../support/browser/page-checks.ts'
import { isOfCustomer, isOfPeople, walkPages } from './walk-pages.ts'

const { browser, portal } = await browserTest(t)

walkPages({
  browser,
  portal,
  visits: (route) => !isOfCustomer(route) && !isOfPeople(route),
  pagesMin: 10,
  controlsMin: 10
})

t.test('pages without a session are accessible and fit the window', async (t) => {
  const { page } = await visit(browser, portal, { reduced: true })
  for (const path of ['/signed-out', '/signin-failed', '/signin-failed?reason=busy&wait=12']) {
    await page.goto(path)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    t.strictSame(await problemsOf(page, heading), [], path)
  }
})
