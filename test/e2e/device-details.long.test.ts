import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { startBrowser } from '../support/browser/browser.ts'
import { deviceOf, devicePath, NORTHWIND, personsOf, pointOf } from '../support/browser/data-screens.ts'
import { goTo } from '../support/browser/walk.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const open = personsOf(browser, portal)
const device = deviceOf(portal, 'airHandler')
const chiller = deviceOf(portal, 'chiller')
const setpoint = pointOf(device, 'Supply Air Temp Setpoint')
const search = (text: string) => `&q=${encodeURIComponent(text)}`

/** The device does at once what it was told, instead of after a while. */
function obey() {
  for (const write of [...portal.sandbox.state.pointWrites.values()].flat()) write.fromMs = Date.now()
}

async function openWrite(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Write', exact: true }).click()
}

/** Lets the time of the three readings pass that follow a command; each may come by itself while a machine is slow. */
async function readBack(page: Page, readings: () => number) {
  for (const [index, ms] of [2_000, 3_000, 5_000].entries()) {
    await page.clock.runFor(ms)
    await eventually(() => readings() > index)
  }
}
/** How many readings of one point are answered from now on. */
function readingsOf(page: Page) {
  let count = 0
  page.on('response', (answer) => {
    if (answer.url().endsWith('/read') && answer.request().postData()?.split(',').length === 2) count += 1
  })
  return () => count
}
const pointPath = `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${device.deviceUuid}&cloudId=${setpoint.cloudId}`

t.test('a device that there is not, and one without data services, say so', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/devicedetails?deviceUuid=nothing`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await page.getByRole('link', { name: 'Back to devices' }).waitFor()
  await goTo(page, devicePath(deviceOf(portal, 'withoutServices')))
  await page.getByRole('heading', { name: 'Data Services is not active on this device' }).waitFor()
  t.equal(await page.getByRole('table').count(), 0)
})

t.test('a write that the device refuses is not confirmed, and the dialog says why', async (t) => {
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

t.test('a write that the device does not take is said to be not confirmed', async (t) => {
  const { page } = await open('nds.operator', devicePath(device, search('Humidity Setpoint')), {
    clock: true
  })
  await page.route('**/commands/write', (route) => route.fulfill({ status: 202, json: { commandId: 'c-1' } }))
  await openWrite(page, 'Humidity Setpoint')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New value').fill('59')
  const readings = readingsOf(page)
  await dialog.getByRole('button', { name: 'Write', exact: true }).click()
  await dialog.getByText(/^Sent\. Reading back/).waitFor()
  await readBack(page, readings)
  await dialog.getByText(/^Not confirmed: the device still reads/).waitFor()
  t.pass()
})

t.test('a write whose answer is lost is read back before anything is said', async (t) => {
  const { page } = await open('nds.operator', devicePath(device, search('Humidity Setpoint')), {
    clock: true
  })
  // The first is lost on its way, the second on its way back.
  let asked = 0
  await page.route('**/commands/write', async (route) => {
    asked += 1
    if (asked > 1) await route.fetch()
    await route.fulfill({ status: 504, contentType: 'application/problem+json', json: { status: 504 } })
  })
  await openWrite(page, 'Humidity Setpoint')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New value').fill('58')
  const readings = readingsOf(page)
  await dialog.getByRole('button', { name: 'Write', exact: true }).click()
  await dialog.getByText(/^The answer was lost\. Reading back/).waitFor()
  t.equal(await dialog.getByRole('alert').count(), 0, 'nothing is said to have failed')
  await readBack(page, readings)
  await dialog.getByText(/^Not confirmed: the device still reads .* so it may still do it/).waitFor()
  const answered = page.waitForResponse('**/commands/write')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await answered
  obey()
  await page.clock.runFor(2_000)
  await dialog.getByText('Confirmed: the device reads 58.0 %RH.').waitFor()
  t.match(await dialog.locator('.write-now').innerText(), /Now 58\.0 %RH/, 'what is now follows')
})

t.test('a setpoint is written, confirmed by what is read back, and cleared again', async (t) => {
  const { page, errors } = await open(
    'nds.operator',
    devicePath(device, search('Supply Air Temp Setpoint')),
    { clock: true }
  )
  const actions = page.getByRole('button', { name: 'Actions for Supply Air Temp Setpoint', exact: true })
  const row = page.getByRole('row').filter({ has: actions })
  await openWrite(page, 'Supply Air Temp Setpoint')
  const write = page.getByRole('dialog')
  await write.getByLabel('New value').fill('21,5')
  t.match(await write.getByText(/^Set Supply Air Temp Setpoint from/).innerText(), /to 21\.5 °C on AHU-2$/)
  await write.getByRole('button', { name: 'Write', exact: true }).click()
  await write.getByText(/^Sent\. Reading back/).waitFor()
  obey()
  await page.clock.runFor(2_000)
  await write.getByText('Confirmed: the device reads 21.5 °C.').waitFor()
  await write.getByRole('button', { name: 'Close' }).last().click()
  await row.getByText('Overridden', { exact: true }).waitFor()
  t.match(await row.innerText(), /21\.5 °C/)
  const sent = portal.sandbox.calls.findLast(({ url }) => url.endsWith('/write'))
  t.match(sent?.body, { requestProcessingPriority: 255 })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Clear override' }).click()
  const clear = page.getByRole('alertdialog')
  await clear.getByRole('button', { name: 'Clear override' }).click()
  await clear.getByText(/^Sent\. Reading back/).waitFor()
  obey()
  await page.clock.runFor(2_000)
  await clear.getByText(/^Confirmed: no longer overridden/).waitFor()
  t.strictSame(errors, [])
})

t.test('live values stop while the page is hidden, and go on at once when it is seen', async (t) => {
  const { page } = await open('customer.user', devicePath(device), { clock: true })
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/commands/read')) reads += 1
  })
  const first = page.waitForResponse('**/commands/read')
  await page.getByRole('rowheader').first().waitFor()
  await first
  const next = page.waitForResponse('**/commands/read')
  await page.clock.runFor(10_500)
  const body = JSON.parse((await next).request().postData() ?? '{}')
  t.equal(body.cloudIds.length, 25, 'the rows of the page and no more')
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await hide(true)
  reads = 0
  await page.clock.runFor(600_000)
  t.equal(reads, 0, 'in ten minutes')
  const again = page.waitForResponse('**/commands/read')
  await hide(false)
  await again
  t.equal(reads, 1)
})

t.test('points are searched by name, tag name and tag value, sorted and paged by the API', async (t) => {
  const { page } = await open('customer.user', devicePath(device))
  await page.getByText('1–25 of 45').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('26–45 of 45').waitFor()
  t.match(page.url(), /page=2/)
  await page.getByRole('combobox', { name: 'Search in' }).selectOption('Tag value')
  await page.getByRole('combobox', { name: 'Comparison' }).selectOption('Equals')
  await page.getByRole('searchbox', { name: 'Search points' }).fill('control:EnumWritable')
  await page.getByText('1–2 of 2').waitFor()
  await page.getByRole('button', { name: 'Point', exact: true }).click()
  await page.waitForFunction(() =>
    document.querySelector('tbody th')?.textContent?.startsWith('Operating Mode')
  )
  await page.getByRole('searchbox', { name: 'Search points' }).fill('nothing of the kind')
  await page.getByRole('heading', { name: 'No points match “nothing of the kind”' }).waitFor()
  t.match(portal.sandbox.calls.findLast(({ url }) => url.includes('/entitymodel/'))?.body, {
    systemGuid: device.systemGuid,
    searchType: 'tagValues',
    comparisonType: 'EQUALS'
  })
})

t.test('a point by itself: value, last day as chart and table, properties, tags', async (t) => {
  const { page, errors } = await open('customer.user', pointPath)
  await page.getByRole('heading', { level: 1, name: 'Supply Air Temp Setpoint' }).waitFor()
  await page.getByRole('figure', { name: /^Chart of 1 point in °C/ }).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  // The last day has more rows than these.
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
  await goTo(page, pointPath.replace(setpoint.cloudId, 'no-such-point'))
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  t.strictSame(errors, [])
})

t.test('points are found across devices and gathered; the tray goes along to the history', async (t) => {
  const { page } = await open('customer.user', `${NORTHWIND}/dataservice?deviceUuid=${device.deviceUuid}`)
  await page.getByRole('heading', { name: 'Find points across devices' }).waitFor()
  await page.getByRole('combobox', { name: 'Device' }).fill(chiller.deviceName)
  // Six devices of Northwind have this name: the host tells them apart.
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

// What can be done with a device, which the last test deletes.
const actions = { name: `Actions for ${chiller.deviceName}`, exact: true }

t.test('by keys alone: open, go through, close, and the focus is back', async (t) => {
  const { page } = await open('partner.admin', devicePath(chiller))
  await page.getByRole('button', actions).focus()
  await page.keyboard.press('Enter')
  // What the person may do comes after the rest.
  await page.getByRole('menuitem', { name: 'Change Project' }).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Move 1 device' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Actions'))
  t.pass()
})

t.test('a device is renamed, moved and deleted, and its project shows', async (t) => {
  const { page, errors } = await open('partner.admin', devicePath(chiller))
  const choose = async (name: string) => {
    await page
      .getByRole('button', { name: /^Actions for/ })
      .and(page.locator('.title-actions *'))
      .click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Edit Details')
  const details = page.getByRole('dialog', { name: 'Edit Details' })
  await details.getByLabel('Device name').fill('Chiller on its way')
  await Promise.all([
    page.getByText('Device name updated.').waitFor(),
    details.getByRole('button', { name: 'Save', exact: true }).click()
  ])
  await page.getByRole('heading', { level: 1, name: 'Chiller on its way' }).waitFor()
  t.equal(portal.sandbox.state.devices.get(chiller.id)?.deviceName, 'Chiller on its way')

  await choose('Change Project')
  const dialog = page.getByRole('dialog', { name: 'Move 1 device' })
  const [other] = portal.sandbox.state.projects
    .of(NOTABLE.northwind)
    .filter(({ id }) => id !== portal.sandbox.state.devices.get(chiller.id)?.projectId)
  if (!other) throw new Error('there is one project only')
  await dialog.getByLabel('To project').selectOption(other.id)
  await dialog.getByRole('button', { name: 'Move 1 device' }).click()
  const result = page.getByRole('dialog', { name: 'Moving 1 device' })
  await result.getByText('1 of 1 done').waitFor()
  await result.getByRole('button', { name: 'Close' }).last().click()
  await page
    .getByRole('region', { name: 'About this device' })
    .getByRole('link', { name: other.projectName, exact: true })
    .waitFor()

  await choose('Delete Device')
  const question = page.getByRole('alertdialog', { name: 'Delete Device?' })
  await question.getByRole('textbox').fill('Chiller on its way')
  await Promise.all([
    page.getByText('Device Deleted').waitFor(),
    question.getByRole('button', { name: 'Delete Device' }).click()
  ])
  await page.waitForURL((url) => url.pathname === NORTHWIND && url.searchParams.get('project') === other.id)
  t.equal(portal.sandbox.state.devices.get(chiller.id), undefined)
  t.strictSame(errors, [])
})
