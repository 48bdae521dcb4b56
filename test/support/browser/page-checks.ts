// What holds of every page: no violations in both themes, on a desk, a tablet and a phone; everything fits at every width,
// for a mouse and for a finger; one heading, a title, and no motion for who wants none.
import type { Page } from 'playwright-core'
import { violations, WIDTHS } from './axe.ts'
import { misfits } from './fit.ts'
import { motionIn } from './motion.ts'

/** What does not hold of this one, whose motion is watched; `finger` shows the same to who touches it. */
export async function problemsOf(page: Page, heading: string, finger: Page): Promise<string[]> {
  await page.setViewportSize({ width: WIDTHS[0], height: 900 })
  const [problems, touched] = await Promise.all([
    violations(page, { widths: WIDTHS }),
    misfits(finger, 'touch')
  ])
  if ((await page.locator('h1').count()) !== 1) problems.push('not one h1')
  if (!(await page.title()).includes(heading.slice(0, 12))) problems.push(`title: ${await page.title()}`)
  const misfit = await misfits(page, 'mouse')
  const moved = (await motionIn(page)).map((what) => `moves: ${what}`)
  return [...problems, ...touched, ...misfit, ...moved]
}
