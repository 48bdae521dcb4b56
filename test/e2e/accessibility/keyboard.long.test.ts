// Performs tasks with the keyboard alone, and checks that each focus is visible.
import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../../support/browser/browser.ts'
import { calm } from '../../support/browser/calm.ts'

const { open } = await browserTest(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`
const STEPS_MAX = 160

const FOCUSED = `(() => {
  const element = document.activeElement
  const style = getComputedStyle(element)
  const label = element.labels?.[0]?.textContent
  return {
    name: (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim(),
    isVisible: style.outlineStyle !== 'none' || style.boxShadow !== 'none'
  }
})()`

async function tabTo(page: Page, target: RegExp | ((name: string) => boolean)): Promise<void> {
  const isTarget = target instanceof RegExp ? (name: string) => target.test(name) : target
  const focusedNames: string[] = []
  for (let step = 0; step < STEPS_MAX; step += 1) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate<{ name: string; isVisible: boolean }>(FOCUSED)
    focusedNames.push(focus.name.slice(0, 40))
    if (!isTarget(focus.name)) continue
    t.ok(focus.isVisible, `the focus is visible on ${focus.name}`)
    return
  }
  throw new Error(`${target} does not get the focus: ${focusedNames.slice(-30).join(' | ')}`)
}

t.test('the keyboard is enough to acknowledge an alarm and write a note', async (t) => {
  const { page } = await open('customer.admin', `${NORTHWIND}/alarms?show=unacked&range=all`)
  await page.getByRole('rowheader').first().waitFor()
  await tabTo(page, /^Select alarm/)
  await page.keyboard.press('Space')
  await page.getByRole('region', { name: 'Selected alarms' }).waitFor()
  await tabTo(page, /^Acknowledge 1$/)
  await page.keyboard.press('Enter')
  await page.getByText(/1 alarm sent for acknowledgement/).waitFor()

  await tabTo(page, /^Select alarm/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Add note$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Somebody is on the way')
  await tabTo(page, /^Add note$/)
  await page.keyboard.press('Enter')
  await page.getByText('Note added.').waitFor()
  t.pass()
})

t.test('the keyboard is enough to filter the audit log for moved devices', async (t) => {
  const { page } = await open('partner.admin', '/auditlog?range=30d')
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  await page.locator('h1').focus()
  await tabTo(page, /^Action$/)
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Device moved', exact: true }).waitFor()
  await tabTo(page, /^Device moved$/)
  await page.keyboard.press('Space')
  await page.waitForURL(/action=DEVICE_MOVED/)
  await page.keyboard.press('Escape')
  // The unfiltered entries stay until the filtered entries load.
  await calm(page)
  await page.getByRole('row').filter({ hasText: 'moved device' }).first().waitFor()
  await tabTo(page, /^Details of/)
  await page.keyboard.press('Enter')
  await page
    .getByRole('row', { name: /Project name/ })
    .first()
    .waitFor()
  t.pass()
})
