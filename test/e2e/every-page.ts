// What holds of every page: no violations in both themes, on a desktop and on a phone; one heading, a title, no sideways
// scrolling at 320 px, and no motion for who wants none.
import type { Browser, Page } from 'playwright-core'
import type { Portal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { violations, WIDTHS } from './accessibility.ts'
import { openAs } from './browser.ts'
import { motionIn, watchMotion } from './motion.ts'
import { goTo, stepsOf, type Walker } from './walk.ts'

/** Walks every route that the walker gets to; what is wrong there, by path. Empty when nothing is. */
export async function problemsOnTheWay(
  browser: Browser,
  portal: Portal,
  walker: Walker
): Promise<Record<string, string[]>> {
  const chosen = walker.endsWith('+')
  const start = chosen ? `/integrators/${NOTABLE.partner}` : '/'
  const { page, context } = await openAs(browser, portal, walker.replace('+', ''), start, { reduced: true })
  if (chosen) await page.getByText('You work in').waitFor()
  await watchMotion(page)
  const found: Record<string, string[]> = {}
  for (const { path } of stepsOf(walker, portal).filter(({ outcome }) => outcome !== 'out')) {
    await page.setViewportSize({ width: WIDTHS[0], height: 900 })
    const problems = await problemsOf(page, await goTo(page, path))
    if (problems.length > 0) found[path] = problems
  }
  await context.close()
  return found
}

/** What holds of every page, and does not of this one; its motion is watched. */
export async function problemsOf(page: Page, heading: string): Promise<string[]> {
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
