import t from 'tap'
import { browserTest } from '../../support/browser/browser.ts'
import { deviceOf, devicePath } from '../../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)
const { state, calls } = portal.sandbox

function confirmWrites() {
  for (const write of [...state.pointWrites.values()].flat()) write.fromMs = Date.now()
}

t.test('a setpoint is written and confirmed by a reading, and the override is cleared', async (t) => {
  const path = devicePath(deviceOf(portal, 'airHandler'), '&q=Supply+Air+Temp+Setpoint')
  const { page, errors } = await open('nds.operator', path, { clock: true })
  const actions = page.getByRole('button', { name: 'Actions for Supply Air Temp Setpoint', exact: true })
  const row = page.getByRole('row').filter({ has: actions })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Write', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New value').fill('21,5')
  t.match(await dialog.getByText(/^Set Supply Air Temp Setpoint from/).innerText(), /to 21\.5 °C on AHU-2$/)
  await dialog.getByRole('button', { name: 'Write', exact: true }).click()
  await dialog.getByText(/^Sent\. Reading back/).waitFor()
  confirmWrites()
  await page.clock.runFor(2_000)
  await dialog.getByText('Confirmed: the device reads 21.5 °C.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await row.getByText('Overridden', { exact: true }).waitFor()
  await row.getByText('21.5 °C').waitFor()
  t.match(calls.findLast(({ url }) => url.endsWith('/write'))?.body, { requestProcessingPriority: 255 })

  await actions.click()
  await page.getByRole('menuitem', { name: 'Clear override' }).click()
  const clearDialog = page.getByRole('alertdialog')
  await clearDialog.getByRole('button', { name: 'Clear override' }).click()
  await clearDialog.getByText(/^Sent\. Reading back/).waitFor()
  confirmWrites()
  await page.clock.runFor(2_000)
  await clearDialog.getByText(/^Confirmed: no longer overridden/).waitFor()
  t.strictSame(errors, [])
})
