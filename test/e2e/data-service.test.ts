// What the layouts put beside points: the usage of plans, the alarms of a point, and the filters of a device's points.
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { pointsOf } from '#test/sandbox/simulation/points.ts'
import { startBrowser } from './browser.ts'
import { deviceOf, devicePath, NORTHWIND, personsOf, pointOf } from './support/data-screens.ts'

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

t.test('usage that cannot be loaded says so beside a search that works', async (t) => {
  const { page } = await open('customer.user', NORTHWIND)
  portal.sandbox.faults.set('subscription-usage', '503')
  await page.goto(`${servicePath('usageWarning')}&asked=1`)
  await page.getByRole('alert').filter({ hasText: 'Network Connectivity Failed' }).waitFor()
  await page.getByRole('rowheader').first().waitFor()
  portal.sandbox.faults.clear()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Usage Warning').waitFor()
  await page.getByText('Data usage is approaching the limit').waitFor()
  t.equal(await page.getByRole('alert').filter({ hasText: 'Network' }).count(), 0)
})

t.test('usage beyond the limit, its graph from 0, and a device without the service', async (t) => {
  const { page, errors } = await open('customer.user', servicePath('usageExceeded', 'withoutServices'))
  await page.getByText(/^Usage Limit Exceeded/).waitFor()
  await page.getByText(/Your usage has exceeded the plan limit by [\d.]+ GB/).waitFor()
  await page.getByText('No Data Services subscription.').waitFor()
  await page.getByRole('button', { name: /^Show yearly usage/ }).click()
  const figure = page.getByRole('figure', { name: 'Yearly usage in GB' })
  await figure.waitFor()
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

  await page.goto(path)
  await card.getByRole('link', { name: alarm.messageText }).first().waitFor()
  await page.clock.install()
  await page.reload()
  await card.getByRole('link', { name: alarm.messageText }).first().waitFor()
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
    await page
      .getByText(`${writable.length} point${writable.length === 1 ? '' : 's'}`, { exact: true })
      .waitFor()
    await page.keyboard.press('Escape')
    t.equal(await page.getByRole('rowheader').count(), writable.length)
    const link = page.url()
    t.match(link, /type=Boolean&writable=yes/)
    const other = await open('partner.user', link.replace(portal.url, ''))
    await other.page.getByRole('rowheader').first().waitFor()
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
