import t from 'tap'
import { browserTest, unexpected, visit } from '../../support/browser/browser.ts'
import { statefulControls } from '../../support/browser/forced-colors.ts'
import { problemsOf } from '../../support/browser/page-checks.ts'
import { land, WALKERS, walkRoutes } from '../../support/browser/walk.ts'

const { browser, portal } = await browserTest(t)
const checkedPages = new Set<string>()
let statefulCount = 0

for (const walker of WALKERS)
  t.test(
    `${walker} reaches the routes of its role; every page is accessible and fits the window`,
    async (t) => {
      const countBefore = checkedPages.size
      const { page, errors } = await land(browser, portal, walker, { reduced: true })
      const { found, expected } = await walkRoutes(
        page,
        portal,
        walker,
        async ({ route, heading, outcome }) => {
          if (outcome === 'redirect') return
          const name = outcome === 'Page Not Found' ? heading : `${heading} at ${route}`
          if (checkedPages.has(name)) return
          checkedPages.add(name)
          t.strictSame(await problemsOf(page, heading), [], name)
          statefulCount += await statefulControls(page).count()
        }
      )
      t.ok(checkedPages.size > countBefore, `${checkedPages.size - countBefore} pages`)
      t.strictSame(found, expected)
      t.strictSame(unexpected(errors, '403', '404'), [])
    }
  )

t.test('the checked pages have controls that forced colours could hide', async (t) => {
  t.ok(statefulCount > 20, `${statefulCount} controls`)
})

t.test('pages without a session are accessible and fit the window', async (t) => {
  const { page } = await visit(browser, portal, { reduced: true })
  for (const path of ['/signed-out', '/signin-failed', '/signin-failed?reason=busy&wait=12']) {
    await page.goto(path)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    t.strictSame(await problemsOf(page, heading), [], path)
  }
})
