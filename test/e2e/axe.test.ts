// Every route of the walk's table under axe, in both themes, on a desktop and on a phone; and what else holds of every page:
// one heading, a title, no sideways scrolling at 320 px, and no motion for who wants none.
import type { Page } from 'playwright-core'
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { violations, WIDTHS } from './accessibility.ts'
import { openAs, startBrowser, visit } from './browser.ts'
import { motionIn, watchMotion } from './motion.ts'
import { goTo, stepsOf } from './walk.ts'

t.setTimeout(600_000)

const browser = await startBrowser(t)
const portal = await startPortal(t)

/** What holds of every page, and does not of this one. */
async function problemsOf(page: Page, heading: string): Promise<string[]> {
  const problems = await violations(page, WIDTHS)
  if ((await page.locator('h1').count()) !== 1) problems.push('not one h1')
  if (!(await page.title()).includes(heading.slice(0, 12))) problems.push(`title: ${await page.title()}`)
  const sideways = await overflowAt320(page)
  if (sideways > 0) problems.push(`${sideways} pixels sideways`)
  return [...problems, ...(await motionIn(page)).map((what) => `moves: ${what}`)]
}

/** Sideways scrolling of the page in pixels, once the layout has followed the width. */
async function overflowAt320(page: Page): Promise<number> {
  await page.setViewportSize({ width: 320, height: 700 })
  const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  const settled = page.waitForFunction(
    () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    undefined,
    { timeout: 5_000 }
  )
  await settled.catch(() => {})
  return page.evaluate(sideways)
}

for (const walker of ['global.admin+', 'partner.admin', 'no.access'] as const) {
  t.test(
    `every page of ${walker}: no violations, one heading, a title, no sideways scrolling at 320, no motion`,
    async (t) => {
      const start = walker.endsWith('+') ? `/integrators/${NOTABLE.partner}` : '/'
      const { page, context } = await openAs(browser, portal, walker.replace('+', ''), start, {
        reduced: true
      })
      if (walker.endsWith('+')) await page.getByText('You work in').waitFor()
      await watchMotion(page)
      const found: Record<string, unknown> = {}
      for (const { path } of stepsOf(walker, portal).filter(({ outcome }) => outcome !== 'out')) {
        await page.setViewportSize({ width: WIDTHS[0], height: 900 })
        const problems = await problemsOf(page, await goTo(page, path))
        if (problems.length > 0) found[path] = problems
      }
      t.strictSame(found, {})
      await context.close()
    }
  )
}

t.test('pages without a session: the same', async (t) => {
  const { page, context } = await visit(browser, portal, { reduced: true })
  for (const path of ['/signed-out', '/signin-failed', '/signin-failed?reason=expired']) {
    await page.setViewportSize({ width: WIDTHS[0], height: 900 })
    await page.goto(path)
    await watchMotion(page)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    t.strictSame(await problemsOf(page, heading), [], path)
  }
  await context.close()
})
