// What holds for every page: axe finds nothing, nothing scrolls sideways, there is one heading, and the title names it.
import type { Page } from 'playwright-core'
import { violations } from './axe.ts'

const WIDTHS = [320, 768, 1024, 1920]

/** Says by how much the page is wider than the window; empty when it fits. A new width is drawn in the next frame. */
export async function sideways(page: Page): Promise<string[]> {
  const [excess, width] = await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
    return [document.documentElement.scrollWidth - document.documentElement.clientWidth, innerWidth]
  })
  return excess === 0 ? [] : [`${excess} px too wide at ${width}`]
}

export async function problemsOf(page: Page, heading: string): Promise<string[]> {
  // The journey looks at this width in light.
  await page.setViewportSize({ width: 1280, height: 900 })
  const problems = await violations(page, ['dark'])
  await page.setViewportSize({ width: 390, height: 900 })
  problems.push(...(await violations(page, ['light'])))
  if ((await page.locator('h1').count()) !== 1) problems.push('not one h1')
  if (!(await page.title()).includes(heading.slice(0, 12))) problems.push(`title: ${await page.title()}`)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    problems.push(...(await sideways(page)))
  }
  return problems
}
