import t from 'tap'
import { browserTest, says, unexpected } from '../../support/browser/browser.ts'
import { NORTHWIND } from '../../support/browser/data-screens.ts'

const { open } = await browserTest(t)

t.test('a project is created, renamed and deleted, and a name in use is refused', async (t) => {
  const { page, errors } = await open('partner.admin', NORTHWIND)
  const dialog = page.getByRole('dialog', { name: 'New Project' })
  const name = dialog.getByLabel('Project name')
  const createButton = dialog.getByRole('button', { name: 'Create' })
  await page.getByRole('button', { name: 'Create New Project' }).click()
  await name.fill('cardiology wing')
  await says(page, 'Project already exists. Choose different name', () => createButton.click())
  await page.locator('.toast').getByRole('link', { name: 'Retry' }).click()
  t.equal(await name.inputValue(), 'cardiology wing')
  await name.fill('Zz Foyer')
  await says(page, "Project 'Zz Foyer' created successfully.", () => createButton.click())

  await page.getByRole('link', { name: /^Zz Foyer/ }).hover()
  await page.getByRole('button', { name: 'Rename Zz Foyer' }).click()
  const field = page.getByRole('textbox', { name: 'New name of Zz Foyer' })
  await field.fill('Zz Lobby')
  await says(page, "Project name 'Zz Lobby' updated successfully.", () => field.press('Enter'))

  await page.getByRole('link', { name: /^Zz Lobby/ }).click()
  await page.getByRole('heading', { name: 'No Devices Registered' }).waitFor()
  await page.locator('.panel').getByRole('button', { name: 'Delete Project' }).click()
  const deleteDialog = page.getByRole('alertdialog', { name: 'Delete Project?' })
  await says(page, "Project 'Zz Lobby' deleted successfully.", () =>
    deleteDialog.getByRole('button', { name: 'Delete Project' }).click()
  )
  await page.getByText('1–15 of 1,240', { exact: true }).waitFor()
  t.equal(await page.getByRole('link', { name: /^Zz Lobby/ }).count(), 0)
  t.strictSame(unexpected(errors, '409'), [])
})
