import t from 'tap'
import { browserTest, visit } from '../../support/browser/browser.ts'
import { problemsOf } from '../../support/browser/page-checks.ts'
import { land, unexpected, WALKERS, walkRoutes } from '../../support/browser/walk.ts'

const { browser, portal } = await browserTest(t)
const seen = new Set<string>()

for (const walker of WALKERS)
  t.test(`${walker} reaches the routes of the role, and every page is accessible and fits`, async (t) => {
    const before = seen.size
    const { page, errors } = await land(browser, portal, walker, { reduced: true })
    const { met, wanted } = await walkRoutes(page, portal, walker, async ({ route, heading, outcome }) => {
      if (outcome === 'out') return
      const found = outcome === 'none' ? heading : `${heading} at ${route}`
      if (seen.has(found)) return
      seen.add(found)
      t.strictSame(await problemsOf(page, heading), [], found)
    })
    t.ok(seen.size > before, `${seen.size - before} pages`)
    t.strictSame(met, wanted)
    t.strictSame(unexpected(errors), [])
  })

t.test('pages without a session are accessible and fit', async (t) => {
  const { page } = await visit(browser, portal, { reduced: true })
  for (const path of ['/signed-out', '/signin-failed', '/signin-failed?reason=busy&wait=12']) {
    await page.goto(path)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    t.strictSame(await problemsOf(page, heading), [], path)
  }
})
