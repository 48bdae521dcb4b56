// Points of several devices: the ways to them, what the layouts put beside them, and what is asked while nobody looks.
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { deviceOf, devicePath, NORTHWIND, personsOf, pointOf } from '../support/browser/data-screens.ts'
import { goTo } from '../support/browser/walk.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const open = personsOf(browser, portal)
const device = deviceOf(portal, 'airHandler')
const servicePath = (...names: Parameters<typeof deviceOf>[1][]) =>
  `${NORTHWIND}/dataservice?devices=${names.map((name) => deviceOf(portal, name).deviceUuid).join()}`

// There are weeks in which the device has no alarm of its own.
const source = pointOf(device, 'Supply Air Temp').displayName
portal.sandbox.state.addedAlarms.add({
  uuid: `${device.deviceUuid.slice(0, 24)}000000000001`,
  device,
  definition: {
    source,
    state: 'offnormal',
    alarmClass: 'HVAC',
    priority: 100,
    message: 'Supply air temperature is above its high limit'
  },
  startMs: Date.now() - 60_000,
  endMs: Date.now() + 86_400_000,
  acknowledgedMs: null,
  seed: 1
})

interface FoundAlarm {
  uuid: string
  sourceName: string
  alarmData: { cloudId?: string }
}

/** The newest alarms of the device that name their point. */
async function alarmsOfDevice(): Promise<FoundAlarm[]> {
  const person = await portal.as('partner.admin')
  const answer = await person.call(
    `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search?page=0&size=100&sortBy=timestamp&sortDir=desc`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ systemGuids: [device.systemGuid] })
    }
  )
  const { _embedded } = (await answer.json()) as { _embedded: { alarms: FoundAlarm[] } }
  return _embedded.alarms.filter(({ alarmData }) => alarmData.cloudId)
}

t.test('the Data Service is a step from the customer, a device, alarms and any page', async (t) => {
  const { page } = await open('customer.user', NORTHWIND)
  const there = async (path: string) => {
    await page.waitForURL(new RegExp(`${path}$`))
    await page.getByRole('heading', { level: 1, name: 'Data Service' }).waitFor()
  }
  const link = page.getByRole('main').getByRole('link', { name: 'Data Service', exact: true })
  await link.click()
  await there('/dataservice')
  await goTo(page, `${NORTHWIND}/alarms`)
  await link.click()
  await there('/dataservice')
  await goTo(page, devicePath(device))
  await link.click()
  await there(`/dataservice\\?deviceUuid=${device.deviceUuid}`)
  await page.getByRole('list', { name: 'Devices searched' }).getByText(device.deviceName).waitFor()
  await goTo(page, '/reports')
  await page.getByRole('heading', { level: 1, name: 'Saved Reports' }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog', { name: 'Jump to' }).getByRole('combobox')
  await field.fill('data serv')
  await field.press('Enter')
  await there('/dataservice')
  t.pass()
})

t.test('words are parted by commas, typed or pasted, and search for each of them', async (t) => {
  const { page } = await open('customer.user', servicePath('airHandler'))
  const words = page.getByRole('list', { name: 'Words searched for' }).getByRole('listitem')
  const field = page.getByRole('textbox', { name: 'Words' })
  await field.fill('temp, setpoint')
  t.strictSame(await words.allTextContents(), ['temp'])
  t.equal(await field.inputValue(), 'setpoint')
  await field.evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ', Supply Air\nfan; temp,')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  t.strictSame(await words.allTextContents(), ['temp', 'setpoint', 'Supply Air', 'fan'])
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/terms=temp%2Csetpoint%2CSupply%2520Air%2Cfan/)
  await page.getByRole('rowheader').first().waitFor()
  t.match(portal.sandbox.calls.findLast(({ url }) => url.includes('/entitymodel/'))?.body, {
    searchItems: ['temp', 'setpoint', 'Supply Air', 'fan']
  })
})

t.test('results follow the search at once, and paths keep the end that tells points apart', async (t) => {
  const path = `${servicePath('airHandler', 'usageWarning', 'usageExceeded')}&asked=1`
  for (const width of [390, 1024, 1440]) {
    const { page } = await open('customer.user', path, { width })
    const results = page.getByRole('region', { name: 'Results' })
    await results
      .getByText(/Supply Air Temp|Battery Voltage/)
      .first()
      .waitFor()
    await calm(page)
    const { y = 900 } = (await results.boundingBox()) ?? {}
    t.ok(y < 600, `${width} px wide, they begin at ${y}`)
    if (width < 1024) continue
    const [cell, text] = await page
      .locator('.slot-path')
      .first()
      .evaluate((one) =>
        [one, one.firstElementChild as Element].map((each) => each.getBoundingClientRect().right)
      )
    t.equal(Math.round(cell ?? 0), Math.round(text ?? 1), 'what is cut is the beginning')
  }
})

t.test('the keyboard reads of the graph of usage what its table has', async (t) => {
  const { page, errors } = await open('customer.user', servicePath('usageExceeded'))
  await page.getByRole('button', { name: /^Show yearly usage/ }).click()
  const figure = page.getByRole('figure', { name: 'Yearly usage in GB' })
  // Operated once it is drawn.
  await figure.locator('.u-over').waitFor()
  await page.getByText('Show as table').click()
  const row = page.getByRole('table', { name: 'Yearly usage' }).locator('tbody tr').first()
  const first = `${(await row.innerText()).replace(/\s+/, ', ')} GB`
  await figure.focus()
  await page.keyboard.press('Home')
  await page.locator('.chart-cursor').getByText(first, { exact: true }).waitFor()
  t.strictSame(errors, [])
})

t.test('a point has its own alarms, each a step from its place in the list', async (t) => {
  const alarm = (await alarmsOfDevice()).find((one) => one.sourceName === source)
  if (!alarm) throw new Error('the device has no alarms')
  const path = `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${device.deviceUuid}&cloudId=${alarm.alarmData.cloudId}`
  const { page, errors } = await open('nds.operator', path)
  const link = page.getByRole('region', { name: 'Recent alarms' }).locator(`a[href$="alarm=${alarm.uuid}"]`)
  await link.click()
  await page.getByRole('tab', { name: /^Alarms/, selected: true }).waitFor()
  await page.getByRole('complementary').getByText(alarm.uuid, { exact: true }).waitFor()
  t.strictSame(errors, [])

  await page.clock.install()
  await page.goto(path)
  await link.waitFor()
  // What is still on its way may ask for more.
  await calm(page)
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  let asked = 0
  page.on('request', (request) => {
    if (/\/api\/v1\/(?:alarms|control|entitymodel|egress)/.test(request.url())) asked += 1
  })
  await page.clock.runFor(600_000)
  t.equal(asked, 0, 'hidden, it asks for nothing in ten minutes')
})
