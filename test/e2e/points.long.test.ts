import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest } from '../support/browser/browser.ts'
import { deviceOf, devicePath, NORTHWIND, pointOf } from '../support/browser/data-screens.ts'
import { eventually } from '../support/eventually.ts'

const { portal, open } = await browserTest(t)
const device = deviceOf(portal, 'airHandler')
const chiller = deviceOf(portal, 'chiller')
const setpoint = pointOf(device, 'Supply Air Temp Setpoint')
const search = (text: string) => `&q=${encodeURIComponent(text)}`

function confirmWrites() {
  for (const write of [...portal.sandbox.state.pointWrites.values()].flat()) write.fromMs = Date.now()
}

async function openWrite(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Write', exact: true }).click()
}

/** Moves the page's clock past the three readings that follow a command. */
async function readBack(page: Page, readings: () => number) {
  for (const [index, ms] of [2_000, 3_000, 5_000].entries()) {
    await page.clock.runFor(ms)
    await eventually(() => readings() > index)
  }
}
function readingsOf(page: Page) {
  let count = 0
  page.on('response', (answer) => {
    if (answer.url().endsWith('/read') && answer.request().postData()?.split(',').length === 2) count += 1
  })
  return () => count
}
t.test('a device stays usable while subscriptions cannot be read, and recovers by itself', async (t) => {
  portal.sandbox.faults.set('subscription', '503')
  t.teardown(() => portal.sandbox.faults.clear('subscription'))
  const { page } = await open('partner.admin', devicePath(device, search('Supply Air Temp Setpoint')), {
    clock: true
  })
  const notice = page.getByText('Subscriptions could not be read. Which services are active is not known.')
  await notice.waitFor()
  await page.getByRole('row', { name: /Supply Air Temp Setpoint.*°/ }).waitFor()
  await openWrite(page, 'Supply Air Temp Setpoint')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('tab', { name: /^Alarms/ }).click()
  await page.getByRole('region', { name: 'Alarms' }).waitFor()
  t.equal(await page.getByText(/not active|No Data Services/).count(), 0)

  portal.sandbox.faults.clear('subscription')
  await page.clock.fastForward(30_000)
  await page
    .getByText(/^until \d/)
    .first()
    .waitFor()
  t.equal(await notice.count(), 0)
})

const pointPath = `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${device.deviceUuid}&cloudId=${setpoint.cloudId}`

t.test('a refused write shows the reason, and a value above the limit cannot be sent', async (t) => {
  const offline = deviceOf(portal, 'offline')
  const { page } = await open('nds.operator', devicePath(offline, search('Supply Water Setpoint')))
  await openWrite(page, 'Supply Water Setpoint')
  const dialog = page.getByRole('dialog')
  const { template } = pointOf(offline, 'Supply Water Setpoint')
  if (template.kind !== 'Numeric') throw new Error('not a number')
  const field = dialog.getByLabel('New value')
  await field.fill(String(template.high + 1))
  await dialog.getByText(/^The highest value is/).waitFor()
  t.equal(
    await dialog.getByRole('button', { name: 'Write', exact: true }).getAttribute('aria-disabled'),
    'true'
  )
  await field.fill(String(template.high))
  await field.press('Enter')
  t.equal(await dialog.getByRole('alert').innerText(), 'The device refused: the device is offline.')
  t.equal(portal.sandbox.state.pointWrites.size, 0)
})

t.test('a write without an answer is verified by a reading before the result shows', async (t) => {
  const { page } = await open('nds.operator', devicePath(device, search('Humidity Setpoint')), {
    clock: true
  })
  // The first call never arrives at the upstream; the answer to the second call is lost.
  let writeCalls = 0
  await page.route('**/commands/write', async (route) => {
    writeCalls += 1
    if (writeCalls > 1) await route.fetch()
    await route.fulfill({ status: 504, contentType: 'application/problem+json', json: { status: 504 } })
  })
  await openWrite(page, 'Humidity Setpoint')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New value').fill('58')
  const readings = readingsOf(page)
  await dialog.getByRole('button', { name: 'Write', exact: true }).click()
  await dialog.getByText(/^The answer was lost\. Reading back/).waitFor()
  t.equal(await dialog.getByRole('alert').count(), 0, 'no error shows')
  await readBack(page, readings)
  await dialog.getByText(/^Not confirmed: the device still reads .* The device may still do it/).waitFor()
  const response = page.waitForResponse('**/commands/write')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await response
  confirmWrites()
  await page.clock.runFor(2_000)
  await dialog.getByText('Confirmed: the device reads 58.0 %RH.').waitFor()
  t.match(await dialog.locator('.write-now').innerText(), /Now 58\.0 %RH/, 'the current value')
})

t.test('live values stop while the page is hidden, and continue at once when the page shows', async (t) => {
  const { page } = await open('customer.user', devicePath(device), { clock: true })
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/commands/read')) reads += 1
  })
  const firstResponse = page.waitForResponse('**/commands/read')
  await page.getByRole('rowheader').first().waitFor()
  await firstResponse
  const nextResponse = page.waitForResponse('**/commands/read')
  await page.clock.runFor(10_500)
  const body = JSON.parse((await nextResponse).request().postData() ?? '{}')
  t.equal(body.cloudIds.length, 25, 'reads only the rows of the page')
  const setHidden = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
      const visibilityState = value ? 'hidden' : 'visible'
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibilityState })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await setHidden(true)
  reads = 0
  await page.clock.runFor(600_000)
  t.equal(reads, 0, 'makes no call while hidden for ten minutes')
  const resumedResponse = page.waitForResponse('**/commands/read')
  await setHidden(false)
  await resumedResponse
  t.equal(reads, 1)
})

t.test('a point shows its last day as chart and table, its tags and a link to its history', async (t) => {
  const { page, errors } = await open('customer.user', pointPath)
  await page.getByRole('heading', { level: 1, name: 'Supply Air Temp Setpoint' }).waitFor()
  await page.getByRole('figure', { name: /^Chart of 1 point in °C/ }).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  // The last day has more than 50 rows.
  await page
    .getByRole('region', { name: 'Records of the last 24 hours' })
    .getByRole('row')
    .nth(50)
    .waitFor({ state: 'attached' })
  await page.getByRole('searchbox', { name: 'Search tags' }).fill('no such tag')
  await page.getByText('No tag matches “no such tag”.').waitFor()
  await page.getByRole('link', { name: 'Open in history' }).click()
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
  t.match(page.url(), /range=Last\+24\+Hours/)
  t.strictSame(errors, [])
})

t.test('points of several devices are found, collected and charted together', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/dataservice?deviceUuid=${device.deviceUuid}`)
  await page.getByRole('heading', { name: 'Find points across devices' }).waitFor()
  await page.getByRole('combobox', { name: 'Device' }).fill(chiller.deviceName)
  // Six devices have this name, but different host IDs.
  await page.getByRole('option').filter({ hasText: chiller.hostId }).click()
  const words = page.getByRole('textbox', { name: 'Words' })
  await words.fill('Supply')
  await words.press('Enter')
  const results = page.getByRole('table', { name: `Points of ${chiller.deviceName}`, exact: true })
  await results.getByRole('checkbox', { name: 'Select Chilled Water Supply Temp', exact: true }).check()
  await page
    .getByRole('table', { name: 'Points of AHU-2', exact: true })
    .getByRole('checkbox', { name: 'Select Supply Air Temp', exact: true })
    .check()
  await page
    .getByRole('button', { name: /^Point names/ })
    .filter({ hasText: /\d/ })
    .waitFor()
  const sizes = portal.sandbox.calls
    .filter(({ url }) => url.includes('/entitymodel/') && url.includes('size=1&'))
    .map(({ url }) => url.split('?')[0]?.split('/').at(-1))
  t.strictSame(
    [...new Set(sizes)].sort(),
    ['pointNames', 'tagNames', 'tagValues'],
    'counted by calls of size 1'
  )
  await page.getByRole('button', { name: 'Show history' }).click()
  await page.getByRole('figure', { name: /^Chart of 2 points in °C/ }).waitFor()
  await page.goBack()
  await page.getByRole('list').filter({ hasText: 'Chilled Water Supply Temp' }).last().waitFor()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
})
