// Every task of the projects page by pointer and by keys alone, on a desktop and on a phone, in a portal of its own.
import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`

const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })
const says = (page: Page, text: string) => toast(page, text).waitFor()
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const question = (page: Page, name: string) => page.getByRole('alertdialog', { name })
const focusName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
  )

t.test('pointing at a project moves nothing', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', NORTHWIND)
  const project = page.getByRole('link', { name: /^Cardiology Wing\s*\d/ })
  await calm(page)
  const before = await project.boundingBox()
  await project.hover()
  await page.getByRole('button', { name: 'Rename Cardiology Wing', exact: true }).waitFor()
  t.same(await project.boundingBox(), before)
})

t.test('a project is created, refused as a duplicate, put right, renamed and deleted', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', NORTHWIND)
  const create = async (name: string) => {
    await dialogOf(page, 'New Project').getByLabel('Project name').fill(name)
    await dialogOf(page, 'New Project').getByRole('button', { name: 'Create' }).click()
  }
  await page.getByRole('button', { name: 'Create New Project' }).click()
  await create('Atrium & Foyer')
  await says(page, "Project 'Atrium & Foyer' created successfully.")
  await page.getByRole('button', { name: 'Create New Project' }).click()
  await create('atrium & foyer')
  await toast(page, 'Project already exists. Choose different name')
    .getByRole('link', { name: 'Retry' })
    .click()
  t.equal(await dialogOf(page, 'New Project').getByLabel('Project name').inputValue(), 'atrium & foyer')
  await create('Zz Foyer')
  await says(page, "Project 'Zz Foyer' created successfully.")

  await page.getByRole('link', { name: /Zz Foyer/ }).hover()
  await page.getByRole('button', { name: 'Rename Zz Foyer' }).click()
  const field = page.getByRole('textbox', { name: 'New name of Zz Foyer' })
  await field.fill('x'.repeat(51))
  await page.getByText('Maximum allowed characters is 50').waitFor()
  await field.fill('Zz Lobby')
  await field.press('Enter')
  await says(page, "Project name 'Zz Lobby' updated successfully.")

  await page.getByRole('link', { name: /Zz Lobby/ }).click()
  await page.getByRole('heading', { name: 'No Devices Registered' }).waitFor()
  await page.locator('.panel').getByRole('button', { name: 'Delete Project' }).click()
  await question(page, 'Delete Project?').getByRole('button', { name: 'Delete Project' }).click()
  await says(page, "Project 'Zz Lobby' deleted successfully.")
  await page.getByText('1–15 of 1,240', { exact: true }).waitFor()
  t.equal(await page.getByRole('link', { name: /Zz Lobby/ }).count(), 0)
  // The refused name is a 409, which the console names.
  t.same(
    errors.filter((text) => !text.includes('409')),
    []
  )
})

t.test('a device is edited, moved after a question, re-registered and deleted by its name', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', `${NORTHWIND}?q=Chiller+2`)
  const row = page.getByRole('row').nth(1)
  const act = async (item: string) => {
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await row.waitFor()

  await act('Edit Details')
  const edit = dialogOf(page, 'Edit Details')
  await edit.getByLabel('Device name').fill('Chiller 2, renewed')
  await edit.getByLabel('Location').fill('Roof')
  await edit.getByRole('button', { name: 'Save' }).click()
  await says(page, 'Device name and location updated.')
  await page.getByRole('link', { name: 'Chiller 2, renewed', exact: true }).waitFor()
  await page.goto(`${NORTHWIND}?q=renewed`)
  await page.getByText('1–1 of 1', { exact: true }).waitFor()

  await act('Edit Details')
  await edit.getByLabel('Project').selectOption('Helipad Annex')
  await edit.getByRole('button', { name: 'Save' }).click()
  await question(page, 'Change Project?').getByText('Helipad Annex').waitFor()
  await page.keyboard.press('Escape')
  await question(page, 'Change Project?').waitFor({ state: 'detached' })
  t.equal(await edit.count(), 0, 'No closes the edit too')
  await act('Edit Details')
  await edit.getByLabel('Project').selectOption('Helipad Annex')
  await edit.getByRole('button', { name: 'Save' }).click()
  await question(page, 'Change Project?').getByRole('button', { name: 'Change Project' }).click()
  await says(page, "Device moved to project 'Helipad Annex'.")
  await row.getByText('Helipad Annex').waitFor()

  await act('Re-registration')
  await dialogOf(page, 'Re-registration').getByLabel('Registration code').fill('one-00077')
  await dialogOf(page, 'Re-registration').getByRole('radio', { checked: true }).waitFor()
  await dialogOf(page, 'Re-registration').getByRole('button', { name: 'Done' }).click()
  await says(page, 'Device re-registered.')

  await row.getByRole('button', { name: /^Delete/ }).click()
  await question(page, 'Delete Device?')
    .getByLabel(/^Type “Chiller 2, renewed”/)
    .fill('Chiller 2, renewed')
  await question(page, 'Delete Device?').getByRole('button', { name: 'Delete Device' }).click()
  await says(page, 'Device Deleted')
  await page.getByRole('heading', { name: /^No devices match/ }).waitFor()
  t.same(errors, [])
})

t.test('20 devices are moved with 5 clicks', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', NORTHWIND)
  await page.getByRole('searchbox', { name: 'Search Project' }).fill('Dialysis Centre, Annex')
  await page.getByRole('link', { name: /Dialysis Centre, Annex/ }).click()
  await page.getByText('1–15 of 20', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).click()
  await page.getByRole('button', { name: 'Select all 20' }).click()
  await page.getByText('20 selected').waitFor()
  await page.getByRole('button', { name: 'Move to project' }).click()
  const dialog = dialogOf(page, 'Move 20 devices')
  await dialog.getByLabel('To project').selectOption('East Wing')
  await dialog.getByRole('button', { name: 'Move 20 devices' }).click()
  await page.getByText('20 of 20 done', { exact: true }).waitFor()
  t.equal(await page.getByText('Moved', { exact: true }).count(), 20)
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('heading', { name: 'No Devices Registered' }).waitFor()
  t.same(errors, [])
})

t.test('by keys alone: create, rename and edit', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', NORTHWIND)
  const { keyboard } = page
  await page.getByRole('rowheader').first().waitFor()
  await page.getByRole('button', { name: 'Create New Project' }).focus()
  await keyboard.press('Enter')
  await dialogOf(page, 'New Project').waitFor()
  await keyboard.type('Aa Keys')
  await keyboard.press('Enter')
  await says(page, "Project 'Aa Keys' created successfully.")
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Create New Project'))

  await calm(page)
  await page.getByRole('link', { name: /Aa Keys/ }).focus()
  await keyboard.press('Tab')
  t.equal(await focusName(page), 'Rename Aa Keys')
  await keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'New name of Aa Keys' }).waitFor()
  await keyboard.type('Aa Clavier')
  await keyboard.press('Enter')
  await says(page, "Project name 'Aa Clavier' updated successfully.")
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Rename Aa Clavier')
  await keyboard.press('Tab')
  t.equal(await focusName(page), 'Delete Aa Clavier')
  await keyboard.press('Enter')
  await question(page, 'Delete Project?').waitFor()
  await keyboard.press('Enter')
  await says(page, "Project 'Aa Clavier' deleted successfully.")
  await calm(page)

  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .focus()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await dialogOf(page, 'Edit Details').waitFor()
  await keyboard.press('Tab')
  await keyboard.type('Mezzanine')
  await keyboard.press('Enter')
  await says(page, 'Device location updated.')

  t.same(errors, [])
})

t.test('on a phone: filter, edit, delete, create and rename', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', NORTHWIND, { width: 390 })
  await page
    .getByRole('button', { name: /^Details of/ })
    .nth(2)
    .click()
  await page.getByRole('button', { name: /^Edit Details/ }).click()
  await dialogOf(page, 'Edit Details').getByLabel('Location').fill('Loading dock')
  await dialogOf(page, 'Edit Details').getByRole('button', { name: 'Save' }).click()
  await says(page, 'Device location updated.')
  await page.getByText('Loading dock').waitFor()
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await page.getByRole('button', { name: /^Filter by project/ }).click()
  const projects = page.getByRole('dialog', { name: /^Projects/ })
  await projects.getByRole('button', { name: 'Create New Project' }).click()
  await dialogOf(page, 'New Project').getByLabel('Project name').fill('Aa Pocket')
  await dialogOf(page, 'New Project').getByRole('button', { name: 'Create' }).click()
  await says(page, "Project 'Aa Pocket' created successfully.")
  await projects.getByRole('button', { name: 'Rename Aa Pocket' }).click()
  await page.getByRole('textbox', { name: 'New name of Aa Pocket' }).fill('Aa Sleeve')
  await page.keyboard.press('Enter')
  await says(page, "Project name 'Aa Sleeve' updated successfully.")
  await projects.getByRole('button', { name: 'Delete Aa Sleeve' }).click()
  await question(page, 'Delete Project?').getByRole('button', { name: 'Delete Project' }).click()
  await says(page, "Project 'Aa Sleeve' deleted successfully.")
  await projects.getByRole('button', { name: 'Close' }).click()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  t.ok(overflow <= 0, `no sideways scrolling (${overflow})`)
  t.same(errors, [])
})
