// Checks a page with forced colours (high contrast in Windows), which remove every background and shadow.
import type { Page } from 'playwright-core'
import { colourViolations } from './axe.ts'

/** Controls that show with forced colours whether they are pressed, chosen, current or disabled. */
export const statefulControls = (page: Page) => page.locator('[aria-pressed], [role="tab"], .preset')

/** Reports colour violations, and controls that look the same when they are pressed, chosen, current or disabled. */
export async function forcedColourProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const violations = await colourViolations(page)
  const controls = await page.evaluate(indistinctControls)
  await page.emulateMedia({ forcedColors: 'none' })
  return [...violations, ...controls].map((text) => `forced colours: ${text}`)
}

/** Runs in the page. */
function indistinctControls(): string[] {
  const looks = [
    'color',
    'background-color',
    'border-top-color',
    'border-bottom-color',
    'outline-color',
    'outline-style'
  ]
  const lookOf = (element: Element) => {
    const style = getComputedStyle(element)
    return looks.map((name) => style.getPropertyValue(name)).join()
  }
  const problems: string[] = []
  const compare = (element: Element, what: string, change: () => () => void) => {
    const before = lookOf(element)
    const undo = change()
    const after = lookOf(element)
    undo()
    if (before === after)
      problems.push(`${what}: ${element.textContent || element.getAttribute('aria-label')}`)
  }
  const attributes: [selector: string, name: string][] = [
    ['button[aria-pressed]', 'aria-pressed'],
    ['[role="tab"]', 'aria-selected'],
    [':is(.entry, .view-link)[aria-current]', 'aria-current'],
    ['.button[aria-disabled="true"]', 'aria-disabled']
  ]
  for (const [selector, name] of attributes)
    for (const element of document.querySelectorAll(selector))
      compare(element, name, () => {
        const value = element.getAttribute(name) ?? ''
        const isOn = value !== 'false'
        if (isOn) element.removeAttribute(name)
        else element.setAttribute(name, 'true')
        return () => element.setAttribute(name, value)
      })
  for (const input of document.querySelectorAll<HTMLInputElement>('.preset > input:checked'))
    compare(input.parentElement as Element, 'preset', () => {
      input.checked = false
      return () => {
        input.checked = true
      }
    })
  return problems
}
