// Every page there is, once: each route as the first of these gets to it, and again where another finds another page.
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { openAs, startBrowser, visit } from '../browser.ts'
import { watchMotion } from '../support/motion.ts'
import { problemsOf } from '../support/page-checks.ts'
import { goTo, stepsOf } from '../support/walk.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const seen = new Set<string>()

for (const walker of ['no.access', 'partner.admin', 'global.admin+', 'global.admin'] as const)
  t.test(`every page of ${walker} is fit for everybody`, async (t) => {
    const chosen = walker.endsWith('+')
    const start = chosen ? `/integrators/${NOTABLE.partner}` : '/'
    const { page } = await openAs(browser, portal, walker.replace('+', ''), start, { reduced: true })
    if (chosen) await page.getByText('You work in').waitFor()
    await watchMotion(page)
    const before = seen.size
    for (const { route, path, outcome } of stepsOf(walker, portal)) {
      if (outcome === 'out') continue
      const heading = await goTo(page, path)
      const found = outcome === 'none' ? heading : `${heading} at ${route}`
      if (seen.has(found)) continue
      seen.add(found)
      t.strictSame(await problemsOf(page, heading), [], found)
    }
    t.ok(seen.size > before, `${seen.size - before} pages`)
  })

t.test('pages without a session: the same', async (t) => {
  const { page } = await visit(browser, portal, { reduced: true })
  for (const path of ['/signed-out', '/signin-failed', '/signin-failed?reason=expired']) {
    await page.goto(path)
    await watchMotion(page)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    t.strictSame(await problemsOf(page, heading), [], path)
  }
})
