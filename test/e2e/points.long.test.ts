import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest } from '../support/browser/browser.ts'
import { deviceOf, devicePath, NORTHWIND, pointOf } from '../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)
const device = deviceOf(portal, 'airHandler')
const chiller = deviceOf(portal, 'chiller')
const setpoint = pointOf(device, 'Supply Air Temp Setpoint')
const search = (text: string) => `&q=${encodeURIComponent(text)}`

async function openWrite(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Write', exact: true }).click()
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
