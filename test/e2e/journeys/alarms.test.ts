import t from 'tap'
import { browserTest } from '../../support/browser/browser.ts'
import { deviceOf, NORTHWIND, raiseAlarm } from '../../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)

t.test('an acknowledged alarm is pending until its device confirms, and can get a note', async (t) => {
  const uuid = raiseAlarm(portal, deviceOf(portal, 'airHandler'), 'Drill', 'Stuck')
  const path = `${NORTHWIND}/alarms?show=all&range=all&q=Drill`
  const { page, errors } = await open('partner.admin', path)
  const row = page.getByRole('row').filter({ hasText: 'Drill' })
  const deviceLink = await row.getByRole('link').boundingBox()
  t.ok((deviceLink?.height ?? 0) >= 24, `the link to the device is ${deviceLink?.height} px high`)
  await row.getByRole('button', { name: /^Actions for alarm/ }).click()
  const acknowledge = page.getByRole('menuitem', { name: 'Acknowledge', exact: true })
  await acknowledge.click()
  await page.getByRole('status').filter({ hasText: '1 alarm sent for acknowledgement.' }).waitFor()
  await row.getByText('Ack pending').waitFor()
  t.ok(portal.sandbox.state.alarmChanges.get(uuid)?.acknowledged, 'the device got the command')

  await row.getByRole('button', { name: 'Drill' }).first().click()
  const details = page.getByRole('complementary').filter({ hasText: 'Raised' })
  await details.getByRole('button', { name: 'Add note' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Reset at 14:05: 21 °C, 50% (bag). Why?')
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await details.getByText('Reset at 14:05: 21 °C, 50% (bag). Why?').waitFor()
  t.strictSame(errors, [])
})
