// The projects page and each of its dialogs under axe, in both themes, on a phone and a desktop.
import type { Page } from 'playwright-core'
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { violations, WIDTHS } from './accessibility.ts'
import { openAs, startBrowser } from './browser.ts'

t.setTimeout(300_000)
const browser = await startBrowser(t)
const portal = await startPortal(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`

const wide = (page: Page) => (page.viewportSize()?.width ?? 0) > 1000

const firstRow = (page: Page) => page.getByRole(wide(page) ? 'rowheader' : 'listitem').first()

const expandFirst = (page: Page) =>
  page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()

/** Opens something to do with the first device that has all of them. */
async function act(page: Page, item: string): Promise<void> {
  if (wide(page)) {
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: item }).click()
  } else
    await page
      .getByRole('button', { name: new RegExp(`^${item}`) })
      .first()
      .click()
}

const STATES: [state: string, open: (page: Page) => Promise<unknown>][] = [
  [
    'a selection',
    async (page) => {
      if (!wide(page)) await expandFirst(page)
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(1)
        .check()
      await page.getByRole('region', { name: 'Selected devices' }).waitFor()
    }
  ],
  ['Move', (page) => page.getByRole('button', { name: 'Move to project' }).click()],
  [
    'Edit Details',
    async (page) => {
      // Under a dialog a short list is as good as a long one, and is looked through in a fraction of the time.
      await page.goto(`${NORTHWIND}?service=NDS&q=AHU-14`)
      await firstRow(page).waitFor()
      if (!wide(page)) await expandFirst(page)
      await act(page, 'Edit Details')
    }
  ],
  [
    'Edit Details with a problem',
    async (page) => {
      await act(page, 'Edit Details')
      await page.getByLabel('Device name').fill('a*b')
    }
  ],
  [
    'Change Project?',
    async (page) => {
      await act(page, 'Edit Details')
      await page.getByLabel('Project', { exact: true }).selectOption('Helipad Annex')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('alertdialog', { name: 'Change Project?' }).waitFor()
    }
  ],
  [
    'Re-registration with licences',
    async (page) => {
      await act(page, 'Re-registration')
      await page.getByLabel('Registration code').fill('THREE005')
      await page.getByRole('radio').first().waitFor()
    }
  ],
  [
    'Re-registration without',
    async (page) => {
      await act(page, 'Re-registration')
      await page.getByLabel('Registration code').fill('NONE0005')
      await page.getByText(/^No license information found/).waitFor()
    }
  ],
  [
    'Delete Device?',
    (page) =>
      page
        .getByRole('button', { name: wide(page) ? /^Delete / : /^Delete Device/ })
        .last()
        .click()
  ],
  [
    'projects and Rename',
    async (page) => {
      if (!wide(page)) await page.getByRole('button', { name: 'Filter by project' }).click()
      else
        await page
          .getByRole('link', { name: /Central Plant/ })
          .first()
          .hover()
      await page
        .getByRole('button', { name: /^Rename Central Plant/ })
        .first()
        .click()
      await page.getByRole('textbox', { name: /^New name of/ }).fill('x'.repeat(51))
      await page.getByText('Maximum allowed characters is 50').waitFor()
    }
  ],
  [
    'Jump to',
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Customer, project/ }).fill('AHU')
      await page
        .getByRole('option', { name: /Devices$/ })
        .first()
        .waitFor()
    }
  ],
  [
    'Usage Metrics',
    async (page) => {
      const name = portal.sandbox.state.devices.get(NOTABLE_DEVICES.usageExceeded)?.deviceName ?? ''
      await page.goto(`${NORTHWIND}?service=NDS&q=${encodeURIComponent(name)}`)
      await page
        .getByRole(wide(page) ? 'rowheader' : 'listitem')
        .filter({ hasText: name })
        .first()
        .waitFor()
      if (!wide(page)) await expandFirst(page)
      await act(page, 'Usage Metrics')
      const dialog = page.getByRole('dialog', { name: 'Usage Metrics' })
      await dialog.getByText('Usage Limit Exceeded').waitFor()
      await dialog.locator('.usage-history canvas').waitFor()
      await dialog.getByText('Show as table').click()
    }
  ]
]

for (const width of WIDTHS)
  t.test(`axe finds nothing in the page and its dialogs, ${width} px`, async (t) => {
    // A device that has all services comes first.
    const { page } = await openAs(browser, portal, 'partner.admin', `${NORTHWIND}?service=NDS`, { width })
    await firstRow(page).waitFor()
    for (const [state, open] of STATES) {
      await open(page)
      t.same(await violations(page), [], state)
      await page.keyboard.press('Escape')
      if (state === 'projects and Rename') await page.keyboard.press('Escape')
      await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
    }
    await page.goto(`/customers/${NOTABLE.withoutProjects}`)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    t.same(await violations(page), [], 'New Project over the empty state')
    await page.goto(`/customers/${NOTABLE.withoutDevices}`)
    await page.getByRole('button', { name: 'Delete Project' }).last().waitFor()
    t.same(await violations(page), [], 'a project without devices')
    await page.goto(`${NORTHWIND}?q=zebra%26&expires=7`)
    await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    t.same(await violations(page), [], 'no match')
  })
