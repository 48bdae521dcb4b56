// What axe finds on a page as it stands, in both themes and on a phone and a desktop.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Each violation as "rule: element"; the page stays in the last of the four looks. */
export async function violationsIn(page: Page, widths: readonly number[] = [1280, 390]): Promise<string[]> {
  const found: string[] = []
  await page.evaluate(AXE)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.locator(`html[data-theme="${scheme}"]`).waitFor()
      const results = await page.evaluate(async (tags) => {
        await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))
        const { axe } = window as unknown as {
          axe: { run: (where: Document, options: object) => Promise<{ violations: Violation[] }> }
        }
        interface Violation {
          id: string
          nodes: { target: string[]; failureSummary: string }[]
        }
        const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: tags } })
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(
            ({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary.slice(0, 160)}`
          )
        )
      }, TAGS)
      found.push(...results.map((text) => `${width} ${scheme} ${text}`))
    }
  }
  return found
}
