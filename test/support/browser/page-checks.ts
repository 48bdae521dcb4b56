// What holds for every page: axe finds nothing, everything fits, one heading, a title, and no motion for people who want none.
import type { Page } from 'playwright-core'
import { violations } from './axe.ts'
import { misfits } from './fit.ts'
import { motionIn } from './motion.ts'

/** What fails on a page whose motion is watched; `finger` shows the same page to touch. */
export async function problemsOf(page: Page, heading: string, finger: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 900 })
  // The journey looks at this width in light.
  const [problems, touched] = await Promise.all([violations(page, ['dark']), misfits(finger, 'touch')])
  await page.setViewportSize({ width: 390, height: 900 })
  problems.push(...(await violations(page, ['light'])))
  if ((await page.locator('h1').count()) !== 1) problems.push('not one h1')
  if (!(await page.title()).includes(heading.slice(0, 12))) problems.push(`title: ${await page.title()}`)
  const misfit = await misfits(page, 'mouse')
  const moved = (await motionIn(page)).map((what) => `moves: ${what}`)
  return [...problems, ...touched, ...misfit, ...moved]
}
