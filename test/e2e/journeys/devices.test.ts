import t from 'tap'
import { browserTest, choose, says } from '../../support/browser/browser.ts'
import { calm } from '../../support/browser/calm.ts'
import { NORTHWIND } from '../../support/browser/data-screens.ts'

const { open } = await browserTest(t)

t.test('devices are sorted, paged and searched, and a reload keeps the page', async (t) => {
  const { page, errors } = await open('customer.admin', NORTHWIND)
  const firstRow = page.getByRole('rowheader').first()
  const range = (text: string) => page.getByText(text, { exact: true }).waitFor()
  await range('1–15 of 1,240')
  await page.getByRole('button', { name: 'Host ID', exact: true }).click()
  await page.locator('th[aria-sort=ascending]').filter({ hasText: 'Host ID' }).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await range('16–30 of 1,240')
  await calm(page)
  const name = await firstRow.innerText()
  await page.reload()
  await range('16–30 of 1,240')
  t.equal(await firstRow.innerText(), name)

  await page.getByRole('searchbox', { name: 'Device, Host ID, Project, Location' }).fill('Chiller')
  await page.waitForURL(/q=Chiller/)
  await calm(page)
  for (const text of await page.getByRole('rowheader').allInnerTexts()) t.match(text, 'Chiller')
  t.strictSame(errors, [])
})

t.test('a device is renamed, moved to another project, re-registered and deleted', async (t) => {
  const { page, errors } = await open('partner.admin', `${NORTHWIND}?q=Chiller+2`)
  const row = page.getByRole('row').nth(1)
  const editDialog = page.getByRole('dialog', { name: 'Edit Details' })
  const saveButton = editDialog.getByRole('button', { name: 'Save' })
  const chooseAction = async (item: string) => {
    await choose(row, /^Actions for/, item)
  }

  await chooseAction('Edit Details')
  await editDialog.getByLabel('Device name').fill('Chiller 2, renewed')
  await editDialog.getByLabel('Location').fill('Roof')
  await says(page, 'Device name and location updated.', () => saveButton.click())
  await page.goto(`${NORTHWIND}?q=renewed`)
  await page.getByText('1–1 of 1', { exact: true }).waitFor()

  await chooseAction('Edit Details')
  await editDialog.getByRole('combobox', { name: 'Project' }).fill('Helipad Annex')
  await editDialog.getByRole('option', { name: 'Helipad Annex', exact: true }).click()
  await saveButton.click()
  const moveDialog = page.getByRole('alertdialog', { name: 'Change Project?' })
  await says(page, "Device moved to project 'Helipad Annex'.", () =>
    moveDialog.getByRole('button', { name: 'Change Project' }).click()
  )
  await row.getByText('Helipad Annex').waitFor()

  await chooseAction('Re-registration')
  const codeDialog = page.getByRole('dialog', { name: 'Re-registration' })
  await codeDialog.getByLabel('Registration code').fill('one-00077')
  await codeDialog.getByRole('radio', { checked: true }).waitFor()
  await says(page, 'Device re-registered.', () => codeDialog.getByRole('button', { name: 'Done' }).click())

  await row.getByRole('button', { name: /^Delete/ }).click()
  const prompt = page.getByRole('alertdialog', { name: 'Delete Device?' })
  await prompt.getByLabel(/^Type “Chiller 2, renewed”/).fill('Chiller 2, renewed')
  await says(page, 'Device Deleted', () => prompt.getByRole('button', { name: 'Delete Device' }).click())
  await page.getByRole('heading', { name: /^No devices match/ }).waitFor()
  t.strictSame(errors, [])
})
