// What the layouts put beside points: the usage of plans, the alarms of a point, and the filters of a device's points.
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { pointsOf } from '#test/sandbox/simulation/points.ts'
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
  messageText: string
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
  await page.getByRole('dialog', { name: 'Jump to' }).getByRole('combobox').fill('data serv')
  await page.keyboard.press('Enter')
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

t.test('usage that cannot be loaded says so beside a search that works', async (t) => {
  const { page } = await open('customer.user', NORTHWIND)
  // A 503 would be asked again without the button.
  portal.sandbox.faults.set('subscription-usage', '500')
  await page.goto(`${servicePath('usageWarning')}&asked=1`)
  await page.getByRole('alert').filter({ hasText: 'Something went wrong' }).waitFor()
  await page.getByRole('rowheader').first().waitFor()
  portal.sandbox.faults.clear()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Usage Warning').waitFor()
  await page.getByText('Data usage is approaching the limit').waitFor()
  t.equal(await page.getByRole('alert').filter({ hasText: 'Something went wrong' }).count(), 0)
})

t.test('usage beyond the limit, its graph from 0, and a device without the service', async (t) => {
  const { page, errors } = await open('customer.user', servicePath('usageExceeded', 'withoutServices'))
  await page.getByText(/^Usage Limit Exceeded/).waitFor()
  await page.getByText(/Your usage has exceeded the plan limit by [\d.]+ GB/).waitFor()
  await page.getByText('No Data Services subscription.').waitFor()
  await page.getByRole('button', { name: /^Show yearly usage/ }).click()
  const figure = page.getByRole('figure', { name: 'Yearly usage in GB' })
  // Operated once it is drawn.
  await figure.locator('.u-over').waitFor()
  await figure.focus()
  await page.keyboard.press('Home')
  const first = await page.locator('.chart-cursor').innerText()
  await page.getByText('Show as table').click()
  const row = page.getByRole('table', { name: 'Yearly usage' }).locator('tbody tr').first()
  t.equal(
    first,
    `${(await row.innerText()).replace(/\s+/, ', ')} GB`,
    'the keyboard reads what the table has'
  )
  t.strictSame(errors, [])
})

t.test('a point has its own alarms, each a step from its place in the list', async (t) => {
  const alarm = (await alarmsOfDevice()).find((one) => one.sourceName === source)
  if (!alarm) throw new Error('the device has no alarms')
  const path = `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${device.deviceUuid}&cloudId=${alarm.alarmData.cloudId}`
  const { page, errors } = await open('nds.operator', path)
  const card = page.getByRole('region', { name: 'Recent alarms' })
  await card.getByRole('link', { name: alarm.messageText }).first().click()
  await page.getByRole('tab', { name: /^Alarms/, selected: true }).waitFor()
  await page
    .getByRole('complementary')
    .or(page.getByRole('dialog'))
    .getByText(alarm.messageText)
    .first()
    .waitFor()
  t.match(page.url(), new RegExp(`alarm=${alarm.uuid}`))
  t.strictSame(errors, [])

  await page.clock.install()
  await page.goto(path)
  await card.getByRole('link', { name: alarm.messageText }).first().waitFor()
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

t.test(
  'filters of points: by the API and in its answers, in the address, taken back one by one',
  async (t) => {
    const points = pointsOf(device)
    const booleans = points.filter(({ template }) => template.kind === 'Boolean')
    const { page, errors } = await open('customer.user', devicePath(device))
    await page.getByRole('button', { name: 'Type', exact: true }).first().click()
    await page.getByRole('checkbox', { name: 'Boolean' }).click()
    await page.getByText(`${booleans.length} points`, { exact: true }).waitFor()
    t.match(portal.sandbox.calls.findLast(({ url }) => url.includes('/entitymodel/'))?.body, {
      searchType: 'tagValues',
      searchItems: ['Boolean'],
      comparisonType: 'EQUALS'
    })
    await page.getByRole('button', { name: 'Writable', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Writable' }).click()
    const writable = booleans.filter(({ template }) => template.writable)
    const told = `${writable.length} point${writable.length === 1 ? '' : 's'}`
    await page.getByText(told, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    t.equal(await page.getByRole('rowheader').count(), writable.length)
    const link = page.url()
    t.match(link, /type=Boolean&writable=yes/)
    const other = await open('partner.user', link.replace(portal.url, ''))
    await other.page.getByText(told, { exact: true }).waitFor()
    t.equal(await other.page.getByRole('rowheader').count(), writable.length, 'the same by the link')
    await page.getByRole('button', { name: 'Remove filter Type: Boolean' }).click()
    const all = points.filter(({ template }) => template.writable)
    await page.getByText(`${all.length} points`, { exact: true }).waitFor()
    await page.goto(devicePath(device, '&type=String&writable=yes'))
    await page.getByRole('heading', { name: 'No points match these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText(`1–25 of ${points.length}`).waitFor()
    t.strictSame(errors, [])
  }
)
