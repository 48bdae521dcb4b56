// What axe finds wrong on a page, in words. No exceptions are listed anywhere.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Violation {
  id: string
  help: string
  nodes: { target: string[]; failureSummary?: string }[]
}

/** Each violation with where it is; empty when there is none. Waits for what moves to come to rest. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))
  )
  // Evaluated by the debugger's protocol, not as a script of the page: its policy allows none but its own.
  await page.evaluate(AXE)
  const found = await page.evaluate(
    (tags) =>
      (
        window as unknown as {
          axe: { run: (root: Document, options: object) => Promise<{ violations: Violation[] }> }
        }
      ).axe
        .run(document, { runOnly: { type: 'tag', values: tags } })
        .then((result) => result.violations),
    TAGS
  )
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map((node) => node.target.join(' ')).join(', ')}`
  )
}

/** Every look of a page: both themes, phone and desktop. */
export const LOOKS = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 }
] as const
