import type { Page } from 'playwright-core'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { choose } from '../../../support/browser/browser.ts'
import { NARROW, NORTHWIND, press, type States, TABLET, unroll, WIDE, WIDER } from '../state.ts'

const ACTIONS = /^Actions for/
const DETAILS = /^Details of/
const SELECT = { name: /^Select / }

async function lookUp(page: Page, code: string): Promise<void> {
  await choose(page, ACTIONS, 'Re-registration')
  await page.getByLabel('Registration code').fill(code)
}

export const ONE = `/customers/${NOTABLE.multi[2]}?q=AHU-1`

export const projects: States = (portal) => {
  const exceededDevice = portal.sandbox.state.devices.get(NOTABLE_DEVICES.usageExceeded)?.deviceName ?? ''
  const select = async (page: Page) => {
    await page.getByRole('checkbox', SELECT).nth(1).check()
    await page.getByRole('region', { name: 'Selected devices' }).waitFor()
    await unroll(page)
  }
  const rename = async (page: Page) => {
    await press(page, /^Rename East Tower/)
    await page.getByRole('textbox', { name: /^New name of/ }).fill('x'.repeat(51))
    await page.getByText('Maximum allowed characters is 50').waitFor()
  }
  return [
    { name: 'selected devices', path: ONE, open: select, at: WIDE },
    { name: 'the menu of a row', path: ONE, open: (page) => press(page, ACTIONS), at: WIDE },
    {
      name: 'a view saved by another user',
      path: `${NORTHWIND}?q=Chiller&view=Chillers&columns=location,-projectName`,
      open: (page) => page.getByRole('link', { name: /^Chillers \d/ }).waitFor(),
      at: WIDER
    },
    {
      name: 'the sheet of a device',
      path: `${NORTHWIND}?service=NDS`,
      open: async (page) => {
        await press(page, DETAILS)
        await page.getByRole('dialog').getByRole('link', { name: 'Open device' }).waitFor()
      },
      at: TABLET
    },
    {
      name: 'the sheet of projects on a tablet',
      path: NORTHWIND,
      open: (page) => press(page, /^Filter by project/),
      at: TABLET
    },
    ...[TABLET, NARROW].map((at) => ({
      name: `filters at ${at} px`,
      path: NORTHWIND,
      open: async (page: Page) => {
        await press(page, /^Filter(?: and sort)?$/)
        await page.getByRole('dialog', { name: 'Filter and sort' }).waitFor()
      },
      at
    })),
    {
      name: 'selected cards',
      path: `${NORTHWIND}?service=NDS`,
      open: async (page) => {
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
      name: 'Change Project?',
      path: ONE,
      open: async (page) => {
        await choose(page, ACTIONS, 'Edit Details')
        const dialog = page.getByRole('dialog', { name: 'Edit Details' })
        await dialog.getByRole('combobox', { name: 'Project' }).fill('Retail Podium')
        await dialog.getByRole('option', { name: 'Retail Podium' }).click()
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByRole('alertdialog', { name: 'Change Project?' }).waitFor()
      }
    },
    {
      name: 'Re-registration with licenses',
      path: ONE,
      open: async (page) => {
        await lookUp(page, 'THREE005')
        await page.getByRole('radio').first().waitFor()
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
          .getByRole('link', { name: /East Tower/ })
          .first()
          .hover()
        await rename(page)
      },
      at: WIDER
    },
    {
      name: 'the sheet of projects, and Rename',
      path: ONE,
      open: async (page) => {
        await press(page, 'Filter and sort')
        await press(page, /^Filter by project/)
        await rename(page)
      },
      at: NARROW
    },
    {
      name: 'Usage Metrics',
      path: `${NORTHWIND}?service=NDS&q=${encodeURIComponent(exceededDevice)}`,
      open: async (page) => {
        await page.getByRole('rowheader').filter({ hasText: exceededDevice }).first().waitFor()
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
    }
  ]
}
