// The projects page: what is chosen, asked and said over its devices.
import type { Page } from 'playwright-core'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { choose, NARROW, NORTHWIND, press, type States, WIDE } from '../state.ts'

const ACTIONS = /^Actions for/
const DETAILS = /^Details of/
const SELECT = { name: /^Select / }

async function lookUp(page: Page, code: string): Promise<void> {
  await choose(page, ACTIONS, 'Re-registration')
  await page.getByLabel('Registration code').fill(code)
}

/** Under a dialog a short list is as good as a long one. */
const ONE = `${NORTHWIND}?service=NDS&q=AHU-14`

export const projects: States = (portal) => {
  const exceeded = portal.sandbox.state.devices.get(NOTABLE_DEVICES.usageExceeded)?.deviceName ?? ''
  const select = async (page: Page) => {
    await page.getByRole('checkbox', SELECT).nth(1).check()
    await page.getByRole('region', { name: 'Selected devices' }).waitFor()
  }
  const rename = async (page: Page) => {
    await press(page, /^Rename Central Plant/)
    await page.getByRole('textbox', { name: /^New name of/ }).fill('x'.repeat(51))
    await page.getByText('Maximum allowed characters is 50').waitFor()
  }
  return [
    { name: 'a selection', path: ONE, open: select, at: WIDE },
    {
      name: 'a selection of cards',
      path: `${NORTHWIND}?service=NDS`,
      open: async (page) => {
        await press(page, DETAILS)
        await select(page)
      },
      at: NARROW
    },
    {
      name: 'Move',
      path: ONE,
      open: async (page) => {
        await select(page)
        await press(page, 'Move to project')
      }
    },
    { name: 'Edit Details', path: ONE, open: (page) => choose(page, ACTIONS, 'Edit Details') },
    {
      name: 'Edit Details of a card, with a problem',
      path: ONE,
      open: async (page) => {
        await press(page, DETAILS)
        await press(page, /^Edit Details/)
        await page.getByLabel('Device name').fill('a*b')
      },
      at: NARROW
    },
    {
      name: 'Change Project?',
      path: ONE,
      open: async (page) => {
        await choose(page, ACTIONS, 'Edit Details')
        await page.getByLabel('Project', { exact: true }).selectOption('Helipad Annex')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByRole('alertdialog', { name: 'Change Project?' }).waitFor()
      }
    },
    {
      name: 'Re-registration with licences',
      path: ONE,
      open: async (page) => {
        await lookUp(page, 'THREE005')
        await page.getByRole('radio').first().waitFor()
      }
    },
    {
      name: 'Re-registration without',
      path: ONE,
      open: async (page) => {
        await lookUp(page, 'NONE0005')
        await page.getByText(/^No license information found/).waitFor()
      }
    },
    {
      name: 'Delete Device?',
      path: ONE,
      open: (page) => press(page, /^Delete AHU/)
    },
    {
      name: 'Rename a project',
      path: ONE,
      open: async (page) => {
        await page
          .getByRole('link', { name: /Central Plant/ })
          .first()
          .hover()
        await rename(page)
      },
      at: WIDE
    },
    {
      name: 'the sheet of projects, and Rename',
      path: ONE,
      open: async (page) => {
        await press(page, 'Filter by project')
        await rename(page)
      },
      at: NARROW
    },
    {
      name: 'Usage Metrics',
      path: `${NORTHWIND}?service=NDS&q=${encodeURIComponent(exceeded)}`,
      open: async (page) => {
        await page.getByRole('rowheader').filter({ hasText: exceeded }).first().waitFor()
        await choose(page, ACTIONS, 'Usage Metrics')
        const dialog = page.getByRole('dialog', { name: 'Usage Metrics' })
        await dialog.getByText('Usage Limit Exceeded').waitFor()
        await dialog.locator('.usage-history canvas').waitFor()
        await dialog.getByText('Show as table').click()
      }
    },
    {
      name: 'New Project over the empty state',
      path: `/customers/${NOTABLE.withoutProjects}`,
      open: (page) => page.getByRole('button', { name: 'Create', exact: true }).click()
    },
    {
      name: 'a project without devices',
      path: `/customers/${NOTABLE.withoutDevices}`,
      open: (page) => page.getByRole('button', { name: 'Delete Project' }).last().waitFor()
    },
    {
      name: 'no match',
      path: `${NORTHWIND}?q=zebra%26&expires=7`,
      open: (page) => page.getByRole('button', { name: 'Clear filters' }).waitFor()
    },
    {
      name: 'Jump to',
      path: ONE,
      open: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: /^Customer, project/ }).fill('AHU')
        await page
          .getByRole('option', { name: /Devices$/ })
          .first()
          .waitFor()
      }
    }
  ]
}
