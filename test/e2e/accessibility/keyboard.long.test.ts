// Tasks by keyboard alone. Every focus is visible.
import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../../support/browser/browser.ts'
import { calm } from '../../support/browser/calm.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`
const STEPS_MAX = 160

/** The name of the focused element, and whether its focus is visible. */
const FOCUSED = `(() => {
  const element = document.activeElement
  const style = getComputedStyle(element)
  const label = element.labels?.[0]?.textContent
  return {
    name: (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim(),
    seen: style.outlineStyle !== 'none' || style.boxShadow !== 'none'
  }
})()`

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, wanted: RegExp | ((name: string) => boolean)): Promise<void> {
  const isWanted = wanted instanceof RegExp ? (name: string) => wanted.test(name) : wanted
  const passed: string[] = []
  for (let step = 0; step < STEPS_MAX; step += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<{ name: string; seen: boolean }>(FOCUSED)
    passed.push(focused.name.slice(0, 40))
    if (!isWanted(focused.name)) continue
    t.ok(focused.seen, `the focus is visible on ${focused.name}`)
    return
  }
  throw new Error(`${wanted} does not get the focus: ${passed.slice(-30).join(' | ')}`)
}

t.test('an alarm is acknowledged, and a note written', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'customer.admin',
    `${NORTHWIND}/alarms?show=unacked&range=all`
  )
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

t.test('a backup is downloaded, and its note changed', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', `${NORTHWIND}/savedbackups?locked=false`)
  // The newest backup may still run, or have failed.
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
})

/** Chooses from the open menu. */
async function menuTo(page: Page, item: string): Promise<void> {
  for (let step = 0; step < 10; step += 1) {
    const focused = await page.evaluate<{ name: string }>(FOCUSED)
    if (focused.name === item) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`there is no ${item}`)
}

t.test('the audit log is filtered for moved devices', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/auditlog?range=30d')
  await page.getByRole('list', { name: 'Entries' }).waitFor()
  await page.locator('h1').focus()
  await tabTo(page, /^Action$/)
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Device moved', exact: true }).waitFor()
  await tabTo(page, /^Device moved$/)
  await page.keyboard.press('Space')
  await page.waitForURL(/action=DEVICE_MOVED/)
  await page.keyboard.press('Escape')
  // Earlier entries stay until the filtered ones are there.
  await calm(page)
  await page.getByRole('listitem').filter({ hasText: 'moved device' }).first().waitFor()
  await tabTo(page, /^Details/)
  await page.keyboard.press('Enter')
  await page
    .getByRole('row', { name: /projectName/ })
    .first()
    .waitFor()
  t.pass()
})

t.test('Jump to leads to a device of another customer, and back to a recent page', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', `/customers/${NOTABLE.northwind}`)
  const { keyboard } = page
  const [other] = portal.sandbox.state.devices.of(NOTABLE.custom[0])
  await page.getByRole('rowheader').first().waitFor()
  await keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Jump to' }).waitFor()
  await keyboard.type(other?.hostId ?? '')
  await page
    .getByRole('option', { name: new RegExp(`${other?.hostId}.*Devices of other customers$`) })
    .waitFor()
  await keyboard.press('Enter')
  await page.waitForURL(`**/customers/${NOTABLE.custom[0]}/devicedetails?deviceUuid=${other?.deviceUuid}`)
  await page.getByRole('heading', { level: 1, name: other?.deviceName ?? '', exact: true }).waitFor()
  await keyboard.press('Control+k')
  await page.getByRole('option', { name: /Northwind Hospitals.*Recent$/ }).waitFor()
  await keyboard.press('Enter')
  await page.waitForURL(`**/customers/${NOTABLE.northwind}`)
  t.strictSame(errors, [])
})

t.test('Jump to finds a point of a chosen customer, charts it and writes it', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/')
  const { keyboard } = page
  const { hostId, deviceName, deviceUuid } =
    portal.sandbox.state.devices.get(NOTABLE_DEVICES.airHandler) ?? {}
  await page.getByText('ALL CUSTOMERS', { exact: true }).waitFor()
  await keyboard.press('Control+k')
  const jump = page.getByRole('dialog', { name: 'Jump to' })
  await jump.waitFor()
  await keyboard.type('northwind')
  // Until the options for all letters are there.
  await jump.getByRole('option', { name: /^Northwind Hospitals.*Customers$/, selected: true }).waitFor()
  await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  await jump.getByText('First in Northwind Hospitals').waitFor()
  await jump.locator('input:focus').waitFor()

  await keyboard.type(`${hostId} supply air temp setpoint`)
  const point = jump.getByRole('option', {
    name: new RegExp(`^Supply Air Temp Setpoint.*\\d\\.\\d °C.*${deviceName}.*Points$`),
    selected: true
  })
  await point.waitFor()
  await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  await page.waitForURL(new RegExp(`devicedetails/history\\?deviceUuid=${deviceUuid}&points=`))

  await keyboard.press('Control+k')
  await jump.waitFor()
  await keyboard.type(`${hostId} supply air temp setpoint`)
  await point.waitFor()
  await keyboard.press('ArrowRight')
  await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  const write = page.getByRole('dialog', { name: 'Write Supply Air Temp Setpoint' })
  await write.waitFor()
  await keyboard.type('18')
  await keyboard.press('Enter')
  await write.getByText(/^Confirmed: the device reads 18/).waitFor()
  await keyboard.press('Escape')
  await page.waitForFunction(() => !document.querySelector('dialog[open]'))
  t.strictSame(errors, [])
})
