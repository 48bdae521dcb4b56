// What holds of every page: no violations in both themes, on a desktop and on a phone; one heading, a title, no sideways
// scrolling at 320 px, and no motion for who wants none.
import type { Page } from 'playwright-core'
import { violations, WIDTHS } from './axe.ts'
import { motionIn } from './motion.ts'

/** What does not hold of this one; its motion is watched. */
export async function problemsOf(page: Page, heading: string): Promise<string[]> {
  await page.setViewportSize({ width: WIDTHS[0], height: 900 })
  const problems = await violations(page, WIDTHS)
  if ((await page.locator('h1').count()) !== 1) problems.push('not one h1')
  if (!(await page.title()).includes(heading.slice(0, 12))) problems.push(`title: ${await page.title()}`)
  await page.setViewportSize({ width: 320, height: 700 })
  const moved = (await motionIn(page)).map((what) => `moves: ${what}`)
  return [...problems, ...(await overflowOf(page)), ...moved]
}

/** Sideways scrolling of a page that no dialog lies over, once the layout has followed the width. */
export async function overflowOf(page: Page): Promise<string[]> {
  if ((await page.locator('dialog:modal').count()) > 0) return []
  const settled = page.waitForFunction(
    () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    undefined,
    { timeout: 5_000 }
  )
  await settled.catch(() => {})
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  )
  return sideways > 0 ? [`${sideways} pixels sideways`] : []
}
