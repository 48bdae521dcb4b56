import type { Page } from 'playwright-core'
import t from 'tap'
import type { DeviceRecord } from '#test/sandbox/records/sites.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest, choose, unexpected, type Visit } from '../support/browser/browser.ts'
import { deviceOf, raiseAlarm } from '../support/browser/data-screens.ts'
import { eventually } from '../support/eventually.ts'

const { portal, open } = await browserTest(t)
const { state } = portal.sandbox
let alarms = 0
const ALARMS = `/customers/${NOTABLE.northwind}/alarms`

function raise(count: number, devices: readonly DeviceRecord[], word: string): Map<DeviceRecord, string[]> {
  const alarmIds = new Map(devices.map((device) => [device, [] as string[]]))
  for (let index = 0; index < count; index++) {
    const device = devices[index % devices.length] as DeviceRecord
    alarms += 1
    alarmIds.get(device)?.push(raiseAlarm(portal, device, `${word} Sensor`, `${word} has failed`, alarms))
  }
  return alarmIds
}

/** Raises an alarm with the word in its source name and acknowledges the alarm. @param prepare runs before the acknowledgement */
async function acknowledgeOne(word: string, prepare: (page: Page) => unknown, options: Visit = {}) {
  raise(1, [deviceOf(portal, 'airHandler')], word)
  const person = await open('partner.admin', `${ALARMS}?show=all&range=all&q=${word}`, options)
  const row = person.page.getByRole('row').filter({ hasText: `${word} Sensor` })
  await prepare(person.page)
  await choose(row, /^Actions for alarm/, 'Acknowledge')
  return { ...person, row, dialog: person.page.getByRole('alertdialog') }
}

t.test('alarms whose device refuses stay unacknowledged, and a retry acknowledges them', async (t) => {
  const device = deviceOf(portal, 'airHandler')
  const offline = deviceOf(portal, 'chiller')
  const alarmIds = raise(4, [device, offline], 'Drill')
  state.refusals.set(offline.id, 'The device is offline')
  t.teardown(() => state.refusals.clear())
  const acknowledgedCount = (owner: DeviceRecord) =>
    (alarmIds.get(owner) ?? []).filter((uuid) => state.alarmChanges.get(uuid)?.acknowledged).length

  const path = `${ALARMS}?show=unacked&range=all&q=Drill`
  const { page, errors } = await open('partner.admin', path)
  // The results name devices, whose names load after the alarms.
  await page
    .getByRole('link', { name: `${offline.deviceName} ·` })
    .first()
    .waitFor()
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  await page.getByText('4 selected, 4 can be acknowledged').waitFor()
  await page.getByRole('button', { name: 'Acknowledge 4', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Acknowledge 4 alarms' }).click()

  await dialog.getByText(/1 device refused/).waitFor()
  const refusedItem = dialog.getByRole('list', { name: 'Devices that refused' }).getByRole('listitem')
  t.match(await refusedItem.textContent(), /\(2 alarms\): The device is offline$/)
  await dialog.getByText('2 alarms sent.').waitFor()
  t.strictSame([acknowledgedCount(device), acknowledgedCount(offline)], [2, 0])
  const response = page.waitForResponse(/commands\/acknowledgeAlarm$/)
  await dialog.getByRole('button', { name: 'Try 2 alarms again' }).click()
  t.equal((await response).status(), 409, 'a call for one device reports the refusal')

  state.refusals.clear()
  const message = page.getByText('2 alarms sent for acknowledgement.').waitFor()
  await dialog.getByRole('button', { name: 'Try 2 alarms again' }).click()
  await message
  t.equal(acknowledgedCount(offline), 2)
  t.strictSame(unexpected(errors, '409'), [])
})

t.test('an acknowledgement without an answer stays pending until the list shows the outcome', async (t) => {
  let calls = 0
  const loseAnswers = (page: Page) =>
    page.route('**/commands/acknowledgeAlarm', async (route) => {
      calls += 1
      if (calls > 1) await route.fetch()
      await route.fulfill({ status: 504, contentType: 'application/problem+json', json: { status: 504 } })
    })
  const { page, row } = await acknowledgeOne('Lost', loseAnswers, { clock: true })
  await page.getByText(/^The answer was lost\./).waitFor()
  await row.getByText('Ack pending').waitFor()
  await page.clock.runFor(60_000)
  await row.getByRole('button', { name: /^Retry/ }).click()
  await row.getByText('Ack pending').waitFor()
  await eventually(async () => {
    await page.clock.runFor(20_000)
    return (await row.getByText('Acked').count()) > 0
  })
  t.equal(calls, 2)
})

t.test('an acknowledgement that cannot be sent leaves the alarm unacknowledged', async (t) => {
  t.teardown(() => portal.sandbox.faults.clear('control'))
  const { row, dialog } = await acknowledgeOne('Away', () => portal.sandbox.faults.set('control', '503'))
  await dialog.getByText(/Nothing was acknowledged/).waitFor()
  t.equal(await row.getByText('Unacked').count(), 1)
})

t.test('arrow keys move through the details of alarms, and Escape closes the details', async (t) => {
  const { page, errors } = await open('partner.admin', `${ALARMS}?show=all&range=all`)
  await page.locator('.link-button.source').first().click()
  await page.waitForURL(/alarm=/)
  const details = page.getByRole('complementary').filter({ hasText: 'Raised' })
  const openAlarm = () => new URL(page.url()).searchParams.get('alarm') ?? ''
  const firstAlarm = openAlarm()
  await details.getByText(firstAlarm, { exact: true }).waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.activeElement?.id === 'alarm-heading')
  await page.keyboard.press('ArrowDown')
  await page.waitForURL((url) => url.searchParams.get('alarm') !== firstAlarm)
  await details.getByText(openAlarm(), { exact: true }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})
