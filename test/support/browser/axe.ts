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

/** A desk, a tablet and a phone. */
export const WIDTHS = [1280, 820, 390] as const

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
  // Motion would be looked at halfway.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const found: string[] = []
  for (const width of widths) {
    if (width !== widthOf(page)) await page.setViewportSize({ width, height: 900 })
    await calm(page)
    found.push(...(await calmViolations(page)).map((text) => `${width} ${text}`))
  }
  return found
}

/** What is loading changes its colours once more when it is there: a look in which the page asked for something is no look. */
async function calmViolations(page: Page): Promise<string[]> {
  for (;;) {
    const before = requestsOf(page)
    const found = await violationsMeanwhile(page)
    if (found.length === 0 || (requestsOf(page) === before && !waitsForAnswers(page))) return found
    await calm(page)
  }
}

/** The same at the width that the page has, of one that waits for something. */
export async function violationsMeanwhile(page: Page): Promise<string[]> {
  // Evaluated by the debugger's protocol, not as a script of the page: its policy allows none but its own.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return page.evaluate(look, TAGS)
}

const widthOf = (page: Page): number => page.viewportSize()?.width ?? 0

/** In the page, which is in one of the themes: that first. Of the other only colours are asked, where nothing else differs. */
async function look(tags: string[]): Promise<string[]> {
  const { axe } = window as unknown as { axe: Axe }
  const { dataset } = document.documentElement
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
  const ofColours = axe
    .getRules(['cat.color'])
    .filter((rule) => rule.tags.some((tag) => tags.includes(tag)))
    .map(({ ruleId }) => ruleId)
  const found: string[] = []
  let seen = ''
  for (const theme of dataset.theme === 'dark' ? ['dark', 'light'] : ['light', 'dark']) {
    dataset.theme = theme
    await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))
    const shown = shape()
    const runOnly = shown === seen ? { type: 'rule', values: ofColours } : { type: 'tag', values: tags }
    seen = shown
    // Nothing but the dialog on top is there for anybody; what is under it is looked at without it.
    const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
    const { violations } = await axe.run(root, { runOnly, resultTypes: ['violations'] })
    for (const { id, help, nodes } of violations)
      found.push(`${theme} ${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }
  return found
}
