import t from 'tap'
import { browserTest, choose, says } from '../../support/browser/browser.ts'
import { calm } from '../../support/browser/calm.ts'
import { NORTHWIND } from '../../support/browser/data-screens.ts'

const { open } = await browserTest(t)

t.test('devices are sorted, paged and searched, and a reload keeps the page', async (t) => {
  const { page, errors } = await open('customer.admin', NORTHWIND)
  const first = page.getByRole('rowheader').first()
  const range = (text: string) => page.getByText(text, { exact: true }).waitFor()
  await range('1–15 of 1,240')
  await page.getByRole('button', { name: 'Host ID', exact: true }).click()
  await page.locator('th[aria-sort=ascending]').filter({ hasText: 'Host ID' }).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await range('16–30 of 1,240')
  await calm(page)
  const name = await first.innerText()
  await page.reload()
  await range('16–30 of 1,240')
  t.equal(await first.innerText(), name)

  await page.getByRole('searchbox', { name: 'Device, Host ID, Project, Location' }).fill('Chiller')
  await page.waitForURL(/q=Chiller/)
  await calm(page)
  for (const text of await page.getByRole('rowheader').allInnerTexts()) t.match(text, 'Chiller')
  t.strictSame(errors, [])
})

t.test('a device is renamed, moved to another project, re-registered and deleted', async (t) => {
  const { page, errors } = await open('partner.admin', `${NORTHWIND}?q=Chiller+2`)
  const row = page.getByRole('row').nth(1)
  const edit = page.getByRole('dialog', { name: 'Edit Details' })
  const save = edit.getByRole('button', { name: 'Save' })
  const act = async (item: string) => {
    await choose(row, /^Actions for/, item)
  }

  await act('Edit Details')
  await edit.getByLabel('Device name').fill('Chiller 2, renewed')
  await edit.getByLabel('Location').fill('Roof')
  await says(page, 'Device name and location updated.', () => save.click())
  await page.goto(`${NORTHWIND}?q=renewed`)
  await page.getByText('1–1 of 1', { exact: true }).waitFor()

  await act('Edit Details')
  await edit.getByLabel('Project').selectOption('Helipad Annex')
  await save.click()
  const move = page.getByRole('alertdialog', { name: 'Change Project?' })
  await says(page, "Device moved to project 'Helipad Annex'.", () =>
    move.getByRole('button', { name: 'Change Project' }).click()
  )
  await row.getByText('Helipad Annex').waitFor()

  await act('Re-registration')
  const register = page.getByRole('dialog', { name: 'Re-registration' })
  await register.getByLabel('Registration code').fill('one-00077')
  await register.getByRole('radio', { checked: true }).waitFor()
  await says(page, 'Device re-registered.', () => register.getByRole('button', { name: 'Done' }).click())

  await row.getByRole('button', { name: /^Delete/ }).click()
  const remove = page.getByRole('alertdialog', { name: 'Delete Device?' })
  await remove.getByLabel(/^Type “Chiller 2, renewed”/).fill('Chiller 2, renewed')
  await says(page, 'Device Deleted', () => remove.getByRole('button', { name: 'Delete Device' }).click())
  await page.getByRole('heading', { name: /^No devices match/ }).waitFor()
  t.strictSame(errors, [])
})
