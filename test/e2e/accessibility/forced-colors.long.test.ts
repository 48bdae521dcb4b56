// Forced colours (high contrast in Windows): axe on every page, and what only a background showed must still be visible.
import type { Page } from 'playwright-core'
import t from 'tap'
import { violations } from '../../support/browser/axe.ts'
import { browserTest } from '../../support/browser/browser.ts'
import { deviceOf, historyPath } from '../../support/browser/data-screens.ts'
import { pagesOf } from '../../support/browser/pages.ts'
import { goTo } from '../../support/browser/walk.ts'
import { NORTHWIND, press } from './state.ts'

const { portal, open } = await browserTest(t)
const STATES = historyPath(deviceOf(portal, 'chiller'), ['Chiller State'])

/** Controls whose look does not change when they are pressed, chosen, current or disabled. */
function indistinct(): string[] {
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

/** In seconds, of open dialogs and what lies behind them. */
const longestAnimation = (page: Page) =>
  page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('dialog[open]')].flatMap((dialog) =>
        [undefined, '::backdrop'].map((part) => parseFloat(getComputedStyle(dialog, part).animationDuration))
      )
    )
  )

t.test('with forced colours axe finds no violation, and pressed and chosen controls stand out', async (t) => {
  const { page, errors } = await open('partner.admin', '/', { width: 1280, forced: true, reduced: true })
  let controls = 0
  for (const path of [...pagesOf(portal), STATES]) {
    await goTo(page, path)
    t.strictSame(await violations(page, ['light']), [], path)
    t.strictSame(await page.evaluate(indistinct), [], `pressed and chosen controls of ${path}`)
    controls += await page.locator('[aria-pressed], [role="tab"], .preset').count()
  }
  t.ok(controls > 20, `${controls} controls`)
  t.strictSame(errors, [])
})

t.test('with forced colours the swatches of the key of states keep their colours', async (t) => {
  const { page } = await open('partner.admin', STATES, { forced: true, reduced: true })
  const swatches = page.locator('.state-key i')
  await swatches.nth(2).waitFor()
  const colors = await swatches.evaluateAll((elements) =>
    elements.map((element) => getComputedStyle(element).backgroundColor)
  )
  t.equal(new Set(colors).size, colors.length, colors.join(' '))
  t.notOk(colors.includes('rgb(0, 0, 0)'), 'none has the colour of the canvas')
})

t.test('no dialog or drawer is animated with reduced motion', async (t) => {
  const { page } = await open('partner.admin', NORTHWIND, { reduced: true })
  await press(page, 'Create New Project')
  await page.locator('dialog[open]').waitFor()
  t.ok((await longestAnimation(page)) <= 0.001)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await press(page, 'Open menu')
  await page.locator('dialog[open].drawer').waitFor()
  t.ok((await longestAnimation(page)) <= 0.001)
})
