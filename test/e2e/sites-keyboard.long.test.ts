// Each task of alarms, backups, exports, the audit log and registration, done by the keyboard alone: where the focus
// goes, it can be seen.
import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`
const STEPS_MAX = 160

/** What has the focus, and whether somebody sees that it has. */
const FOCUSED = `(() => {
  const element = document.activeElement
  const style = getComputedStyle(element)
  const label = element.labels?.[0]?.textContent
  return {
    name: (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim(),
    seen: style.outlineStyle !== 'none' || style.boxShadow !== 'none'
  }
})()`

/** Goes on with Tab, or back, until what is named has the focus. */
async function tabTo(
  page: Page,
  wanted: RegExp | ((name: string) => boolean),
  key: 'Tab' | 'Shift+Tab' = 'Tab'
): Promise<void> {
  const isWanted = wanted instanceof RegExp ? (name: string) => wanted.test(name) : wanted
  const passed: string[] = []
  for (let step = 0; step < STEPS_MAX; step += 1) {
    await page.keyboard.press(key)
    const focused = await page.evaluate<{ name: string; seen: boolean }>(FOCUSED)
    passed.push(focused.name.slice(0, 40))
    if (!isWanted(focused.name)) continue
    t.ok(focused.seen, `the focus is seen on ${focused.name}`)
    return
  }
  throw new Error(`${wanted} is not reached: ${passed.slice(-30).join(' | ')}`)
}

async function at(username: string, path: string) {
  const person = await openAs(browser, portal, username, path)
  return person
}

t.test('an alarm is acknowledged, and a note written', async (t) => {
  const { page, context } = await at('customer.admin', `${NORTHWIND}/alarms?show=unacked&range=all`)
  await page.getByRole('rowheader').first().waitFor()
  await tabTo(page, /^Select alarm/)
  await page.keyboard.press('Space')
  await page.getByRole('region', { name: 'Selected alarms' }).waitFor()
  await tabTo(page, /^Acknowledge 1$/)
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
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
  await context.close()
  t.pass()
})

t.test('a backup is downloaded, and its note changed', async (t) => {
  const { page, context } = await at('partner.admin', `${NORTHWIND}/savedbackups?locked=false`)
  // The newest may still run, or have failed.
  const complete = page.getByRole('row').filter({ has: page.getByText('Complete', { exact: true }) })
  const menu = complete.getByRole('button', { name: /^Actions for backup/ }).first()
  const name = (await menu.textContent())?.trim() ?? ''
  await tabTo(page, (focused) => focused === name)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Download' }).waitFor()
  await menuTo(page, 'Download')
  const coming = page.waitForEvent('download')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Enter')
  t.equal(await (await coming).failure(), null)
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
  await menuTo(page, 'Edit note')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Before the pump was changed')
  await tabTo(page, /^Save/)
  await page.keyboard.press('Enter')
  await page.getByRole('table').getByText('Before the pump was changed').waitFor()
  await context.close()
})

/** Chooses from the menu that is open. */
async function menuTo(page: Page, item: string): Promise<void> {
  for (let step = 0; step < 10; step += 1) {
    const focused = await page.evaluate<{ name: string }>(FOCUSED)
    if (focused.name === item) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`there is no ${item}`)
}

t.test('an export is started', async (t) => {
  const { page, context } = await at('customer.admin', '/exports')
  await page.getByRole('rowheader').first().waitFor()
  await page.locator('h1').focus()
  await tabTo(page, /^New export$/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.keyboard.type('By the keyboard')
  await tabTo(page, /^Customer/)
  await page.keyboard.type('North')
  // Nothing else is offered: what was found for the first letters began with others.
  await dialog
    .getByRole('option', { name: /Northwind/ })
    .and(page.locator(':only-child'))
    .waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Device/)
  await page.keyboard.type('AHU')
  await dialog.getByRole('option', { name: /AHU/ }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox').nth(1).waitFor()
  await tabTo(page, /^All \d+ shown$/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Start export$/)
  await page.keyboard.press('Enter')
  await page.getByText('Export “By the keyboard” started.').waitFor()
  await context.close()
  t.pass()
})

t.test('who moved a device is found', async (t) => {
  const { page, context } = await at('partner.admin', '/auditlog?range=30d')
  await page.getByRole('list', { name: 'Entries' }).waitFor()
  await page.locator('h1').focus()
  await tabTo(page, /^Action$/)
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Device moved', exact: true }).waitFor()
  await tabTo(page, /^Device moved$/)
  await page.keyboard.press('Space')
  await page.waitForURL(/action=DEVICE_MOVED/)
  await page.keyboard.press('Escape')
  // Entries of before stay until those of the filter are there.
  await calm(page)
  await page.getByRole('listitem').filter({ hasText: 'moved device' }).first().waitFor()
  await tabTo(page, /^Details/)
  await page.keyboard.press('Enter')
  await page
    .getByRole('row', { name: /projectName/ })
    .first()
    .waitFor()
  await context.close()
  t.pass()
})

t.test('a device is registered', async (t) => {
  const { page, context } = await at('partner.admin', `/registerdevice?customerId=${NOTABLE.northwind}`)
  await page.getByRole('textbox', { name: 'Registration code' }).waitFor()
  await page.locator('h1').focus()
  await tabTo(page, /^Registration code/)
  await page.keyboard.type('one00077')
  await page.getByText(/^License Niagara-.* selected$/).waitFor()
  await tabTo(page, /^Project$/)
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await tabTo(page, /^Device name/)
  await page.keyboard.type('Pump-77')
  await tabTo(page, /^Location/)
  await page.keyboard.type('Cellar')
  await tabTo(page, /^Register$/)
  await page.keyboard.press('Enter')
  await page.getByText('Pump-77 is registered').waitFor()
  await context.close()
  t.pass()
})
