import t from 'tap'
import { browserTest, says } from '../../support/browser/browser.ts'
import { NORTHWIND } from '../../support/browser/data-screens.ts'
import { sideways } from '../../support/browser/page-checks.ts'

const { open } = await browserTest(t)

t.test('on a phone devices load in steps, open, are edited and are filtered by project', async (t) => {
  const { page, errors } = await open('partner.admin', NORTHWIND, {
    width: 390,
    touch: true
  })
  const cards = page.locator('.row-card')
  await page.getByRole('button', { name: 'Load next 10' }).click()
  await cards.nth(19).waitFor()
  t.equal(await cards.count(), 20)
  const card = cards.first()
  await card.getByRole('button', { name: /^Details of/ }).click()
  const details = page.getByRole('dialog')
  for (const fact of ['Host ID', 'Project', 'Services'])
    await details.getByText(fact, { exact: true }).waitFor()
  await details.getByRole('button', { name: /^Edit Details/ }).click()
  const editDialog = page.getByRole('dialog', { name: 'Edit Details' })
  await editDialog.getByLabel('Location').fill('Loading dock')
  await says(page, 'Device location updated.', () => editDialog.getByRole('button', { name: 'Save' }).click())
  await page.keyboard.press('Escape')
  await card.getByText('Loading dock').first().waitFor()

  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await page.getByRole('button', { name: /^Filter by project/ }).click()
  const projects = page.getByRole('dialog', { name: /^Projects/ })
  await projects.getByRole('searchbox', { name: 'Search Project' }).fill('Central Plant')
  await projects
    .getByRole('link', { name: /^Central Plant/ })
    .first()
    .click()
  await cards.nth(10).waitFor({ state: 'detached' })
  t.strictSame(await sideways(page), [])
  t.strictSame(errors, [])
})

t.test('on a phone a project is created, renamed and deleted', async (t) => {
  const { page, errors } = await open('partner.admin', NORTHWIND, {
    width: 390,
    touch: true
  })
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await page.getByRole('button', { name: /^Filter by project/ }).click()
  const projects = page.getByRole('dialog', { name: /^Projects/ })
  await projects.getByRole('button', { name: 'Create New Project' }).click()
  const createDialog = page.getByRole('dialog', { name: 'New Project' })
  await createDialog.getByLabel('Project name').fill('Aa Pocket')
  await says(page, "Project 'Aa Pocket' created successfully.", () =>
    createDialog.getByRole('button', { name: 'Create' }).click()
  )
  await projects.getByRole('button', { name: 'Rename Aa Pocket' }).click()
  await page.getByRole('textbox', { name: 'New name of Aa Pocket' }).fill('Aa Sleeve')
  await says(page, "Project name 'Aa Sleeve' updated successfully.", () => page.keyboard.press('Enter'))
  await projects.getByRole('button', { name: 'Delete Aa Sleeve' }).click()
  const deleteDialog = page.getByRole('alertdialog', { name: 'Delete Project?' })
  await says(page, "Project 'Aa Sleeve' deleted successfully.", () =>
    deleteDialog.getByRole('button', { name: 'Delete Project' }).click()
  )
  t.strictSame(errors, [])
})
