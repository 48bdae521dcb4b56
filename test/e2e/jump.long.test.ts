// The palette by keys alone: from any page to a device of any customer, to a chart, and to writing a value.
import t from 'tap'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const { devices } = portal.sandbox.state

t.test('by keys alone: to a device of another customer, and back by what was opened last', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', `/customers/${NOTABLE.northwind}`)
  const { keyboard } = page
  const [other] = devices.of(NOTABLE.custom[0])
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
  t.same(errors, [])
})

t.test('the palette opens where its field is, and nothing of it is cut off', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/', { reduced: true })
  const opener = page.getByRole('button', { name: 'Search devices, customers…' })
  const before = await opener.boundingBox()
  await opener.click()
  const jump = page.getByRole('dialog', { name: 'Jump to' })
  const field = await jump.locator('.field').boundingBox()
  t.ok(Math.abs((field?.y ?? 0) - (before?.y ?? -9)) <= 2, `its field is at ${field?.y}, not ${before?.y}`)
  const card = await jump.boundingBox()
  const keys = await jump.locator('.jump-keys').boundingBox()
  const bottom = (box: typeof card) => (box?.y ?? 0) + (box?.height ?? 0)
  t.ok(bottom(keys) + 4 <= bottom(card), 'the keys keep clear of its edge')
})

t.test('by keys alone: a customer is chosen, a point of it read, charted and written', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/')
  const { keyboard } = page
  const { hostId, deviceName, deviceUuid } = devices.get(NOTABLE_DEVICES.airHandler) ?? {}
  await page.getByText('ALL CUSTOMERS', { exact: true }).waitFor()
  await keyboard.press('Control+k')
  const jump = page.getByRole('dialog', { name: 'Jump to' })
  await jump.waitFor()
  await keyboard.type('northwind')
  // What was found for the first letters begins with others.
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
  t.same(errors, [])
})
