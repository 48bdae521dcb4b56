// What axe finds wrong on a page as it stands, in both themes and at the widths that are wanted. No exceptions are listed
// anywhere.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { calm } from './calm.ts'
import { requestsOf, waitsForAnswers } from './traffic.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.0 to 2.2, A and AA, and best practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const THEMES = ['light', 'dark'] as const

/** A desktop and a phone. */
export const WIDTHS = [1280, 390] as const

interface Axe {
  getRules(tags: string[]): { ruleId: string; tags: string[] }[]
  run(
    root: Document | Element,
    options: object
  ): Promise<{ violations: { id: string; help: string; nodes: { target: string[] }[] }[] }>
}

/**
 * Each violation as "width theme rule: text at elements"; empty when there is none. Looks in both themes, at the width
 * that the page has or at each of `widths`, and leaves the page in the last of these looks.
 */
export async function violations(page: Page, widths: readonly number[] = [widthOf(page)]): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    if (width !== widthOf(page)) await page.setViewportSize({ width, height: 900 })
    await calm(page)
    for (const theme of THEMES)
      found.push(...(await calmViolations(page, theme)).map((text) => `${width} ${theme} ${text}`))
  }
  return found
}

type Theme = (typeof THEMES)[number]

/** What is loading changes its colours once more when it is there: a look in which the page asked for something is no look. */
async function calmViolations(page: Page, theme: Theme): Promise<string[]> {
  for (;;) {
    const before = requestsOf(page)
    const found = await violationsIn(page, theme)
    if (found.length === 0 || (requestsOf(page) === before && !waitsForAnswers(page))) return found
    await calm(page)
  }
}

const widthOf = (page: Page): number => page.viewportSize()?.width ?? 0

async function violationsIn(page: Page, theme: Theme): Promise<string[]> {
  // Motion would be looked at halfway.
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // Evaluated by the debugger's protocol, not as a script of the page: its policy allows none but its own.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return page.evaluate(look, [TAGS, theme] as const)
}

/** In the page. Where nothing but colours differs from what was looked at last, only the rules about colours are asked. */
async function look([tags, theme]: readonly [string[], Theme]): Promise<string[]> {
  // Pages without a session have the system's theme of when they were loaded.
  document.documentElement.dataset.theme = theme
  await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))
  const shape = () => {
    const places = [...document.querySelectorAll('body *')].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return [
        x,
        y,
        width,
        height,
        one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      ].join()
    })
    return [document.title, document.body.outerHTML, ...places].join('\n')
  }
  const own = window as unknown as { axe: Axe; lookedAt?: string }
  const shown = shape()
  const known = shown === own.lookedAt
  own.lookedAt = shown
  const ofColours = own.axe
    .getRules(['cat.color'])
    .filter((rule) => rule.tags.some((tag) => tags.includes(tag)))
  const runOnly = known
    ? { type: 'rule', values: ofColours.map(({ ruleId }) => ruleId) }
    : { type: 'tag', values: tags }
  // Nothing but the dialog on top is there for anybody; what is under it is looked at without it.
  const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
  const { violations } = await own.axe.run(root, { runOnly, resultTypes: ['violations'] })
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`
  )
}
