import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import type { DeviceRecord } from '#test/sandbox/records/sites.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { brokenWords } from '../support/browser/broken-words.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { misfitsNow } from '../support/browser/fit.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const ALARMS = `/customers/${NOTABLE.northwind}/alarms`
const SEARCH = `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search`

interface Alarm {
  uuid: string
  deviceId: string
  sourceName: string
  ackState: string
}

const admin = await portal.as('partner.admin')
async function search(body: object, size = 25): Promise<Alarm[]> {
  const answer = await admin.call(`${SEARCH}?page=0&size=${size}&sortBy=timestamp&sortDir=desc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  return ((await answer.json()) as { _embedded?: { alarms: Alarm[] } })._embedded?.alarms ?? []
}

/** The row of one that nobody has acknowledged. Rows stay in their places, whatever comes and goes. */
async function openRow(page: Page): Promise<Locator> {
  const rows = page.getByRole('row')
  await rows.filter({ hasText: 'Unacked' }).first().waitFor()
  const texts = await rows.allInnerTexts()
  return rows.nth(texts.findIndex((text) => text.includes('Unacked')))
}

t.test('an acknowledgement is pending until the device confirms it', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', `${ALARMS}?show=unacked&range=all`)
  const row = await openRow(page)
  await row.getByRole('button', { name: /^Actions for alarm/ }).click()
  const grounds = await page
    .locator('thead > tr > *')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor))
  t.equal(new Set(grounds).size, 1, 'one ground for all headings, that of the boxes among them')
  await page.getByRole('menuitem', { name: 'Acknowledge', exact: true }).click()
  await page.getByRole('alertdialog').waitFor()
  const told = page.waitForRequest('**/commands/acknowledgeAlarm')
  await Promise.all([
    page.getByText('1 alarm sent for acknowledgement.').waitFor(),
    page.keyboard.press('Enter')
  ])
  await row.getByText('Ack pending').waitFor()
  const [uuid = ''] = (await told).postDataJSON().alarmUuids
  t.ok(portal.sandbox.state.alarmChanges.get(uuid)?.acknowledged, 'the device was told')
  t.strictSame(errors, [])
})

/** Alarms of so many devices in turn, active and seen by nobody, that a word finds. */
function raise(count: number, devices: readonly DeviceRecord[], word: string): Map<DeviceRecord, string[]> {
  const raised = new Map(devices.map((device) => [device, [] as string[]]))
  const definition = { source: `${word} Sensor`, state: 'fault', alarmClass: 'HVAC', priority: 90 } as const
  for (let index = 0; index < count; index++) {
    const device = devices[index % devices.length] as DeviceRecord
    const uuid = `${device.deviceUuid.slice(0, 24)}${String(index).padStart(12, '0')}`
    raised.get(device)?.push(uuid)
    portal.sandbox.state.addedAlarms.add({
      uuid,
      device,
      definition: { ...definition, message: `${word} has failed` },
      startMs: Date.now() - 60_000 - index * 1000,
      endMs: Date.now() + 86_400_000,
      acknowledgedMs: null,
      seed: index
    })
  }
  return raised
}

t.test(
  'of 200 alarms of 12 devices, those of 3 that refuse stay open, and retries do the rest',
  async (t) => {
    const { state } = portal.sandbox
    const served = new Set(
      state.subscriptions
        .get(NOTABLE.northwind)
        ?.filter(({ offeringCode }) => offeringCode === 'NDS')
        .map(({ deviceUuid }) => deviceUuid)
    )
    const devices = state.devices
      .of(NOTABLE.northwind)
      .filter(({ deviceUuid }) => served.has(deviceUuid))
      .slice(0, 12)
    const raised = raise(200, devices, 'Drill')
    const [offline, alsoOffline, refusing] = devices.slice(2, 5) as [DeviceRecord, DeviceRecord, DeviceRecord]
    for (const device of [offline, alsoOffline]) state.refusals.set(device.id, 'The device is offline')
    state.refusals.set(refusing.id, 'The alarm service of the station is stopped')
    t.teardown(() => state.refusals.clear())
    const told = (device: DeviceRecord) =>
      (raised.get(device) ?? []).filter((uuid) => state.alarmChanges.get(uuid)?.acknowledged).length
    const toldOf = () => devices.map(told)
    const all = devices.map((device) => raised.get(device)?.length ?? 0)
    const but = (...left: DeviceRecord[]) => devices.map((one, at) => (left.includes(one) ? 0 : all[at]))

    const { page, errors } = await openAs(
      browser,
      portal,
      'partner.admin',
      `${ALARMS}?show=unacked&range=all&q=Drill`
    )
    // Those that refuse are named, once the names of devices are there.
    await page.getByRole('link', { name: offline.deviceName, exact: true }).first().waitFor()
    for (let first = 1; first <= 200; first += 25) {
      await page.getByText(`${first}–${first + 24} of 200`).waitFor()
      await page.locator('table[aria-busy="false"]').waitFor()
      await page.getByRole('checkbox', { name: /^Select all/ }).check()
      await page.getByText(`${first + 24} selected, ${first + 24} can be acknowledged`).waitFor()
      if (first < 176) await page.getByRole('button', { name: 'Next page' }).click()
    }
    await page.getByRole('button', { name: 'Acknowledge 200', exact: true }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('12 devices are told').waitFor()
    await dialog.getByRole('button', { name: 'Acknowledge 200 alarms' }).click()

    await dialog.getByText(/3 devices refused/).waitFor()
    const results = dialog.getByRole('list', { name: 'Devices that refused' }).getByRole('listitem')
    const lines = (await results.allTextContents()).sort()
    const lineOf = ({ deviceName, projectId, id }: DeviceRecord) =>
      `${deviceName}, ${state.projects.get(projectId)?.projectName} (${raised.get(state.devices.get(id) as DeviceRecord)?.length} alarms): ${state.refusals.get(id)}`
    t.strictSame(lines, [offline, alsoOffline, refusing].map(lineOf).sort())
    t.strictSame(toldOf(), but(offline, alsoOffline, refusing), 'the others were told, these were not')
    const left = 200 - toldOf().reduce((sum, count) => sum + count, 0)
    await dialog.getByText(`${200 - left} alarms sent.`).waitFor()
    t.equal((await search({ keyword: 'Drill', ackStates: ['unacked'] }, 1000)).length, left)

    state.refusals.delete(alsoOffline.id)
    state.refusals.delete(refusing.id)
    await dialog.getByRole('button', { name: `Try ${left} alarms again` }).click()
    await dialog.getByText(/1 device refused/).waitFor()
    t.strictSame(toldOf(), but(offline))
    const still = raised.get(offline)?.length ?? 0
    const asked = page.waitForResponse(/commands\/acknowledgeAlarm$/)
    await dialog.getByRole('button', { name: `Try ${still} alarms again` }).click()
    t.equal((await asked).status(), 409, 'a device alone is asked by a call of its own')
    t.strictSame(toldOf(), but(offline))
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(`${still} selected, ${still} can be acknowledged`).waitFor()
    await page.goto(`${ALARMS}?show=all&range=all&q=Drill&device=${offline.systemGuid}`)
    await page.getByText(`1–${still} of ${still}`).waitFor()
    t.equal(await page.getByText('Unacked', { exact: true }).count(), still, 'and are shown as they are')

    state.refusals.clear()
    await page.getByRole('checkbox', { name: /^Select all/ }).check()
    await page.getByRole('button', { name: `Acknowledge ${still}`, exact: true }).click()
    await Promise.all([
      page.getByText(`${still} alarms sent for acknowledgement.`).waitFor(),
      dialog.getByRole('button', { name: `Acknowledge ${still} alarms` }).click()
    ])
    t.strictSame(toldOf(), all)
    // The browser names the refusal; nothing else went wrong.
    t.strictSame(
      errors.filter((text) => !text.includes('409')),
      []
    )
  }
)

t.test('another page of alarms shows other alarms, with one request', async (t) => {
  const { page, answers } = await openAs(browser, portal, 'customer.admin', `${ALARMS}?range=all&show=all`)
  await page.getByRole('switch', { name: 'Refresh every 20 s' }).uncheck()
  const times = page.locator('tbody time')
  await page.getByText(/^1–25 of /).waitFor()
  // Nobody looks at it: it counts nothing by itself.
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }))
  await calm(page)
  const before = await times.first().getAttribute('datetime')
  const asked = () => answers.filter((answer) => answer.url().includes(SEARCH)).length
  const so = asked()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText(/^26–50 of /).waitFor()
  await page.waitForFunction(
    `document.querySelector('tbody time')?.getAttribute('datetime') !== ${JSON.stringify(before)}`
  )
  const next = await times.first().getAttribute('datetime')
  t.ok(String(next) < String(before), 'older ones')
  t.equal(await page.getByRole('button', { name: /^Show \d+ new/ }).count(), 0, 'none is held back')
  await calm(page)
  t.equal(asked(), so + 1)
})

t.test('an acknowledgement whose answer is lost is read back before anything is said', async (t) => {
  const { page, answers } = await openAs(
    browser,
    portal,
    'partner.admin',
    `${ALARMS}?show=unacked&range=all`,
    { clock: true }
  )
  let asked = 0
  await page.route('**/commands/acknowledgeAlarm', async (route) => {
    asked += 1
    if (asked > 1) await route.fetch()
    await route.fulfill({ status: 504, contentType: 'application/problem+json', json: { status: 504 } })
  })
  const row = await openRow(page)
  await row.getByRole('button', { name: /^Actions for alarm/ }).click()
  await page.getByRole('menuitem', { name: 'Acknowledge', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  const read = () => answers.filter((answer) => answer.url().includes(`${SEARCH}?page=0&size=1000`)).length
  await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await dialog.getByText(/^The answer was lost\. Reading back/).waitFor()
  for (const [index, ms] of [2_000, 3_000, 5_000].entries()) {
    await page.clock.runFor(ms)
    await eventually(() => read() > index)
  }
  await dialog.getByText('it has not been acknowledged so far').waitFor()
  const sent = page.getByText('1 alarm sent for acknowledgement.').waitFor()
  await dialog.getByRole('button', { name: 'Try 1 alarm again' }).click()
  await page.clock.runFor(2_000)
  await sent
  t.equal(asked, 2)
})

t.test('when nothing could be sent, nothing is shown as done', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', `${ALARMS}?show=unacked&range=all`)
  portal.sandbox.faults.set('control', '503')
  t.teardown(() => portal.sandbox.faults.clear('control'))
  const row = await openRow(page)
  await row.getByRole('button', { name: /^Actions for alarm/ }).click()
  await page.getByRole('menuitem', { name: 'Acknowledge', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await dialog.getByText(/Nothing was acknowledged/).waitFor()
  t.equal(await row.getByText('Unacked').count(), 1)
})

t.test('a note is written from the details, which arrows move through and Escape closes', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', `${ALARMS}?show=all&range=all`)
  await page.locator('.link-button.source').first().click()
  await page.waitForURL(/alarm=/)
  const details = page.getByRole('complementary').filter({ hasText: 'Raised' })
  const opened = () => new URL(page.url()).searchParams.get('alarm') ?? ''
  const first = opened()
  await details.getByText(first, { exact: true }).waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'alarm-heading')
  await page.keyboard.press('ArrowDown')
  await page.waitForURL((url) => url.searchParams.get('alarm') !== first)
  await details.getByText(opened(), { exact: true }).waitFor()
  await details.getByRole('button', { name: 'Add note' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Reset at 14:05: 21 °C, 50% (bag). Why?')
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await details.getByText('Reset at 14:05: 21 °C, 50% (bag). Why?').waitFor()
  await details.getByRole('heading', { level: 2 }).focus()
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})

t.test('the gateway takes notes as prose too, up to their length', async (t) => {
  const [alarm] = await search({})
  const note = async (notes: string) => {
    const answer = await admin.call(`/api/v1/control/devices/${alarm?.deviceId}/commands/editAlarmData`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
      body: JSON.stringify({ alarms: [{ uuid: alarm?.uuid, notes }], requestProcessingPriority: 255 })
    })
    return answer.status
  }
  t.equal(await note('x'.repeat(301)), 400)
  t.equal(await note('x'.repeat(300)), 202)
  t.equal(await note('Reset at 14:05: 21 °C, 50% <(bag)>\nWhy?'), 202)
})

t.test('beside the details of an alarm the list keeps three columns, and every word whole', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', `${ALARMS}?show=all&range=all`)
  await page.locator('.link-button.source').first().click()
  const details = page.getByRole('complementary').filter({ hasText: 'Raised' })
  await details.waitFor()
  const headings = await page.getByRole('columnheader').allTextContents()
  t.strictSame(
    headings.map((text) => text.replace(/Columns.*/, '').trim()),
    ['Source', 'State', 'Time', 'Actions']
  )
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    t.strictSame(await misfitsNow(page, 'mouse'), [])
    t.strictSame(await brokenWords(page), [], `${width} px wide`)
    const box = await details.boundingBox()
    t.ok(box && box.x + box.width <= width && box.width > 320, 'the details have their place')
  }
  t.strictSame(errors, [])
})

t.test('alarms of a project are those of its devices, whatever is shown of them', async (t) => {
  const { page } = await openAs(browser, portal, 'customer.admin', `${ALARMS}?range=all`)
  const [alarm] = await search({})
  const { state } = portal.sandbox
  const { projectId = '' } = state.devices.get(alarm?.deviceId ?? '') ?? {}
  const name = state.projects.get(projectId)?.projectName ?? ''
  await page.getByRole('combobox', { name: 'Project' }).fill(name)
  await page.getByRole('listbox', { name: 'Project' }).getByRole('option', { name, exact: true }).click()
  await page.waitForURL(new RegExp(`project=${projectId}`))
  for (const preset of ['All', 'Needs action']) {
    const wanted = { name: new RegExp(`^${preset}`) }
    await page.locator('label', { has: page.getByRole('radio', wanted) }).click()
    // The address tells which one is chosen.
    await page.getByRole('radio', { ...wanted, checked: true }).waitFor()
    await calm(page)
    const cells = page.locator('tbody tr td .stacked > .muted:last-child').filter({ hasText: name })
    await cells.first().waitFor()
    t.equal(await cells.count(), await page.locator('tbody tr').count(), preset)
  }
  await page.getByRole('button', { name: 'Clear project' }).click()
  await page.waitForURL((url) => !url.searchParams.has('project'))
  t.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('role')),
    'combobox',
    'the focus stays in the field'
  )
})

t.test('filters stand in the address, and a filter change is one request', async (t) => {
  const { page, answers } = await openAs(browser, portal, 'customer.admin', `${ALARMS}?range=all&show=all`)
  await page.getByRole('rowheader').first().waitFor()
  await page.getByRole('switch', { name: 'Refresh every 20 s' }).uncheck()
  await calm(page)
  await page.getByLabel('Priority', { exact: true }).selectOption('critical')
  await page.waitForURL(/band=critical/)
  await calm(page)
  await page.getByText(/^1–\d+ of [\d,]+$/).waitFor()
  await page.getByRole('searchbox', { name: 'Source or message' }).fill('no such alarm')
  await page.getByText('No alarms match these filters').waitFor()
  const asked = answers
    .filter((answer) => /alarms:search\?page=0&size=25/.test(answer.url()))
    .map((answer) => answer.request().postDataJSON() as { keyword: string; priorityTo?: number })
    .filter(({ priorityTo }) => priorityTo !== undefined)
  t.strictSame(
    asked.map(({ keyword }) => keyword),
    ['', 'no such alarm']
  )
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('rowheader').first().waitFor()
})

t.test('what needs action is one request as well, whatever searches it takes', async (t) => {
  const { page, answers } = await openAs(browser, portal, 'customer.admin', `${ALARMS}?range=all`)
  await page.getByRole('rowheader').first().waitFor()
  await page.getByRole('switch', { name: 'Refresh every 20 s' }).uncheck()
  await calm(page)
  answers.length = 0
  const listed = page.waitForResponse(/\/customers\/[^/]+\/alarms\?/)
  await page.getByLabel('Priority', { exact: true }).selectOption('medium')
  const found = (await (await listed).json()) as { items: { priority: number }[] }
  await calm(page)
  const lists = answers.filter((answer) => /\/alarms(?:\?|:search\?page=\d+&size=\d\d)/.test(answer.url()))
  t.equal(lists.length, 1)
  t.ok(found.items.length > 0 && found.items.length <= 25)
  t.ok(found.items.every(({ priority }) => priority >= 128 && priority <= 191))
})

t.test('an alarm service that fails shows an error with a way on', async (t) => {
  portal.sandbox.faults.set('alarms', '500')
  t.teardown(() => portal.sandbox.faults.clear('alarms'))
  const { page } = await openAs(browser, portal, 'customer.admin', ALARMS)
  const alert = page.getByRole('alert')
  await alert.getByRole('heading', { name: 'Something went wrong' }).waitFor()
  portal.sandbox.faults.clear('alarms')
  await alert.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('rowheader').first().waitFor()
  t.pass()
})
