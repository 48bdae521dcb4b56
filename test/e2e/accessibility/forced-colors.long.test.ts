// Forced colours (high contrast in Windows) and reduced motion. `pages.long.test.ts` checks every page with forced colours.
import type { Page } from 'playwright-core'
import t from 'tap'
import { violations } from '../../support/browser/axe.ts'
import { browserTest } from '../../support/browser/browser.ts'
import { deviceOf, historyPath } from '../../support/browser/data-screens.ts'
import { forcedColourProblems } from '../../support/browser/forced-colors.ts'
import { NORTHWIND, press } from './state.ts'

const { portal, open } = await browserTest(t)
const STATES = historyPath(deviceOf(portal, 'chiller'), ['Chiller State'])

/** In seconds, of open dialogs and what lies behind them. */
const longestAnimation = (page: Page) =>
  page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('dialog[open]')].flatMap((dialog) =>
        [undefined, '::backdrop'].map((part) => parseFloat(getComputedStyle(dialog, part).animationDuration))
      )
    )
  )

t.test('axe finds no violation in a chart of states, also with forced colours', async (t) => {
  const { page } = await open('partner.admin', STATES, { width: 1280, reduced: true })
  await page.locator('.state-key i').nth(2).waitFor()
  t.strictSame([...(await violations(page)), ...(await forcedColourProblems(page))], [])
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
