import type { Page } from 'playwright-core'
import t from 'tap'
import type { DeviceRecord } from '#test/sandbox/records/sites.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser, type Visit } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { deviceOf, raiseAlarm } from '../support/browser/data-screens.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const { state } = portal.sandbox
let alarms = 0
const ALARMS = `/customers/${NOTABLE.northwind}/alarms`
const SEARCH = `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search`

/** Adds open alarms to these devices in turn; a search for the word finds them. Returns the ids by device. */
function raise(count: number, devices: readonly DeviceRecord[], word: string): Map<DeviceRecord, string[]> {
  const raised = new Map(devices.map((device) => [device, [] as string[]]))
  for (let index = 0; index < count; index++) {
    const device = devices[index % devices.length] as DeviceRecord
    alarms += 1
    raised.get(device)?.push(raiseAlarm(portal, device, `${word} Sensor`, `${word} has failed`, alarms))
  }
  return raised
}

/** Acknowledges one new alarm of that word. @param before what is done to the page first */
async function acknowledgeOne(word: string, before: (page: Page) => unknown, options: Visit = {}) {
  raise(1, [deviceOf(portal, 'airHandler')], word)
  const person = await openAs(
    browser,
    portal,
    'partner.admin',
    `${ALARMS}?show=all&range=all&q=${word}`,
    options
  )
  const row = person.page.getByRole('row').filter({ hasText: `${word} Sensor` })
  await before(person.page)
  await row.getByRole('button', { name: /^Actions for alarm/ }).click()
  await person.page.getByRole('menuitem', { name: 'Acknowledge', exact: true }).click()
  return { ...person, row, dialog: person.page.getByRole('alertdialog') }
}

t.test(
  'of 60 alarms of 12 devices, those of 3 refusing devices stay open, and retries acknowledge them',
  async (t) => {
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
    const raised = raise(60, devices, 'Drill')
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
    // The results name devices, whose names come after the alarms.
    await page.getByRole('link', { name: offline.deviceName, exact: true }).first().waitFor()
    for (const [from, to] of [
      [1, 25],
      [26, 50],
      [51, 60]
    ]) {
      await page.getByText(`${from}–${to} of 60`).waitFor()
      await page.locator('table[aria-busy="false"]').waitFor()
      await page.getByRole('checkbox', { name: /^Select all/ }).check()
      await page.getByText(`${to} selected, ${to} can be acknowledged`).waitFor()
      if (to !== 60) await page.getByRole('button', { name: 'Next page' }).click()
    }
    await page.getByRole('button', { name: 'Acknowledge 60', exact: true }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('12 devices are told').waitFor()
    await dialog.getByRole('button', { name: 'Acknowledge 60 alarms' }).click()

    await dialog.getByText(/3 devices refused/).waitFor()
    const results = dialog.getByRole('list', { name: 'Devices that refused' }).getByRole('listitem')
    const lines = (await results.allTextContents()).sort()
    const lineOf = ({ deviceName, projectId, id }: DeviceRecord) =>
      `${deviceName}, ${state.projects.get(projectId)?.projectName} (${raised.get(state.devices.get(id) as DeviceRecord)?.length} alarms): ${state.refusals.get(id)}`
    t.strictSame(lines, [offline, alsoOffline, refusing].map(lineOf).sort())
    t.strictSame(toldOf(), but(offline, alsoOffline, refusing), 'the others were told, these were not')
    const left = 60 - toldOf().reduce((sum, count) => sum + count, 0)
    await dialog.getByText(`${60 - left} alarms sent.`).waitFor()

    state.refusals.delete(alsoOffline.id)
    state.refusals.delete(refusing.id)
    await dialog.getByRole('button', { name: `Try ${left} alarms again` }).click()
    await dialog.getByText(/1 device refused/).waitFor()
    t.strictSame(toldOf(), but(offline))
    const still = raised.get(offline)?.length ?? 0
    const asked = page.waitForResponse(/commands\/acknowledgeAlarm$/)
    await dialog.getByRole('button', { name: `Try ${still} alarms again` }).click()
    t.equal((await asked).status(), 409, 'the call for a single device passes on its refusal')
    t.strictSame(toldOf(), but(offline))
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(`${still} selected, ${still} can be acknowledged`).waitFor()
    await page.goto(`${ALARMS}?show=all&range=all&q=Drill&device=${offline.systemGuid}`)
    await page.getByText(`1–${still} of ${still}`).waitFor()
    t.equal(await page.getByText('Unacked', { exact: true }).count(), still, 'the list shows them as open')

    state.refusals.clear()
    await page.getByRole('checkbox', { name: /^Select all/ }).check()
    await page.getByRole('button', { name: `Acknowledge ${still}`, exact: true }).click()
    await Promise.all([
      page.getByText(`${still} alarms sent for acknowledgement.`).waitFor(),
      dialog.getByRole('button', { name: `Acknowledge ${still} alarms` }).click()
    ])
    t.strictSame(toldOf(), all)
    // The console names the refusal.
    t.strictSame(
      errors.filter((text) => !text.includes('409')),
      []
    )
  }
)

t.test('an acknowledgement without an answer is read back before a result shows', async (t) => {
  let asked = 0
  const loseAnswers = (page: Page) =>
    page.route('**/commands/acknowledgeAlarm', async (route) => {
      asked += 1
      if (asked > 1) await route.fetch()
      await route.fulfill({ status: 504, contentType: 'application/problem+json', json: { status: 504 } })
    })
  const { page, answers, dialog } = await acknowledgeOne('Lost', loseAnswers, { clock: true })
  const read = () => answers.filter((answer) => answer.url().includes(`${SEARCH}?page=0&size=1000`)).length
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

t.test('an acknowledgement that cannot be sent leaves the alarm open', async (t) => {
  t.teardown(() => portal.sandbox.faults.clear('control'))
  const { row, dialog } = await acknowledgeOne('Away', () => portal.sandbox.faults.set('control', '503'))
  await dialog.getByText(/Nothing was acknowledged/).waitFor()
  t.equal(await row.getByText('Unacked').count(), 1)
})

t.test('arrow keys move through the details of alarms, and Escape closes them', async (t) => {
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
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})

t.test('the project filter shows the alarms of its devices, all or those that need action', async (t) => {
  const { page } = await openAs(browser, portal, 'customer.admin', `${ALARMS}?range=all`)
  const { projectId } = deviceOf(portal, 'airHandler')
  const name = state.projects.get(projectId)?.projectName ?? ''
  await page.getByRole('combobox', { name: 'Project' }).fill(name)
  await page.getByRole('listbox', { name: 'Project' }).getByRole('option', { name, exact: true }).click()
  await page.waitForURL(new RegExp(`project=${projectId}`))
  for (const preset of ['All', 'Needs action']) {
    const wanted = { name: new RegExp(`^${preset}`) }
    await page.locator('label', { has: page.getByRole('radio', wanted) }).click()
    await page.getByRole('radio', { ...wanted, checked: true }).waitFor()
    await calm(page)
    const cells = page.locator('tbody tr td .stacked > .muted:last-child').filter({ hasText: name })
    await cells.first().waitFor()
    t.equal(await cells.count(), await page.locator('tbody tr').count(), preset)
  }
})

t.test('a page, a filter and a search are in the address, and each takes one request', async (t) => {
  const { page, answers } = await openAs(browser, portal, 'customer.admin', `${ALARMS}?range=all&show=all`)
  await page.getByText(/^1–25 of /).waitFor()
  await page.getByRole('switch', { name: 'Refresh every 20 s' }).uncheck()
  const lists = () =>
    answers.filter((answer) => /\/alarms(?:\?|:search\?page=\d+&size=25)/.test(answer.url())).length
  const takesOne = async (act: () => Promise<unknown>, where: RegExp) => {
    await calm(page)
    const before = lists()
    await act()
    await page.waitForURL(where)
    await calm(page)
    t.equal(lists(), before + 1, String(where))
  }
  await takesOne(() => page.getByRole('button', { name: 'Next page' }).click(), /page=2/)
  await takesOne(() => page.getByLabel('Priority', { exact: true }).selectOption('critical'), /band=critical/)
  await takesOne(
    () => page.locator('label', { has: page.getByRole('radio', { name: /^Needs action/ }) }).click(),
    /^(?!.*show=all)/
  )
  const search = page.getByRole('searchbox', { name: 'Source or message' })
  await takesOne(() => search.fill('no such alarm'), /q=no/)
  await page.getByText('No alarms match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('rowheader').first().waitFor()
})
