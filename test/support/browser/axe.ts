// Checks a page with every axe rule of the tags below.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { calm } from './calm.ts'
import { requestsOf, waitsForAnswers } from './traffic.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.0 to 2.2, A and AA, and best practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Theme = 'light' | 'dark'
const THEMES: readonly Theme[] = ['light', 'dark']

interface AxeRun {
  theme: Theme
  onlyColours: boolean
}

interface Axe {
  getRules(tags: string[]): { ruleId: string; tags: string[] }[]
  run(
    root: Document | Element,
    options: object
  ): Promise<{ violations: { id: string; help: string; nodes: { target: string[] }[] }[] }>
}

/** Runs all rules in the first theme. Another theme changes only colours, so only the colour rules run in that theme. */
export function violations(page: Page, themes: readonly Theme[] = THEMES): Promise<string[]> {
  return calmViolations(page, () => violationsNow(page, themes))
}

/** Runs only the colour rules, in the light theme. */
export function colourViolations(page: Page): Promise<string[]> {
  return calmViolations(page, () => runRules(page, [{ theme: 'light', onlyColours: true }]))
}

export function violationsNow(page: Page, themes: readonly Theme[] = THEMES): Promise<string[]> {
  return runRules(
    page,
    themes.map((theme, index) => ({ theme, onlyColours: index > 0 }))
  )
}

async function calmViolations(page: Page, check: () => Promise<string[]>): Promise<string[]> {
  // Otherwise axe checks elements in the middle of an animation.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await calm(page)
  const width = page.viewportSize()?.width
  for (;;) {
    const requests = requestsOf(page)
    const problems = (await check()).map((text) => `${width} ${text}`)
    if (problems.length === 0 || (requestsOf(page) === requests && !waitsForAnswers(page))) return problems
    await calm(page)
  }
}

async function runRules(page: Page, runs: readonly AxeRun[]): Promise<string[]> {
  // Evaluated through the debugging protocol, because the page's policy forbids foreign scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return page.evaluate(runAxe, { tags: TAGS, runs })
}

/** Runs in the page. */
async function runAxe({ tags, runs }: { tags: string[]; runs: readonly AxeRun[] }): Promise<string[]> {
  const { axe } = window as unknown as { axe: Axe }
  const colourIds = axe
    .getRules(['cat.color'])
    .filter((rule) => rule.tags.some((tag) => tags.includes(tag)))
    .map(({ ruleId }) => ruleId)
  const texts: string[] = []
  for (const { theme, onlyColours } of runs) {
    document.documentElement.dataset.theme = theme
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))
    const runOnly = onlyColours ? { type: 'rule', values: colourIds } : { type: 'tag', values: tags }
    // A modal dialog hides the rest of the page.
    const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
    const { violations } = await axe.run(root, { runOnly, resultTypes: ['violations'] })
    for (const { id, help, nodes } of violations)
      texts.push(`${theme} ${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }
  return texts
}
