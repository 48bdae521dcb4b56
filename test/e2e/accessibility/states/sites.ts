import { NARROW, NORTHWIND, press, type State, type States, unroll, WIDE } from '../state.ts'

const ALARM = `${NORTHWIND}/alarms?range=all&show=all`

export const sites: States = () => [
  ...[
    { path: ALARM, at: WIDE },
    { path: `${NORTHWIND}/savedbackups?locked=false`, at: NARROW }
  ].map(
    ({ path, at }): State => ({
      name: `a selection at ${path}`,
      path,
      open: async (page) => {
        await page
          .getByRole('checkbox', { name: /^Select (?:alarm|backup)/ })
          .first()
          .check()
        await page.getByRole('region', { name: /^Selected / }).waitFor()
        await unroll(page)
      },
      at
    })
  ),
  {
    name: 'the details of an alarm',
    path: ALARM,
    open: async (page) => {
      await page.locator('.link-button.source').first().click()
      await page.getByRole('list', { name: 'Timeline' }).waitFor()
    }
  },
  {
    name: 'an entry of the audit log',
    path: '/auditlog?range=30d',
    open: async (page) => {
      await press(page, /^Details/)
      await page.getByText('IP address').waitFor()
    }
  },
  ...['Download', 'Edit note'].map(
    (item): State => ({
      name: `${item} of a backup`,
      path: `${NORTHWIND}/savedbackups?locked=false`,
      open: async (page) => {
        // The newest may still run, or have failed.
        const complete = page
          .getByRole('row')
          .filter({ has: page.getByText('Complete', { exact: true }) })
          .first()
        await complete.getByRole('button', { name: /^Actions for backup/ }).click()
        await page.getByRole('menuitem', { name: item }).click()
        await page.getByRole('heading', { level: 2 }).last().waitFor()
      }
    })
  ),
  {
    name: 'a new export',
    path: '/exports',
    open: async (page) => {
      await press(page, 'New export')
      await page.getByRole('dialog').getByLabel('Name').waitFor()
    }
  },
  {
    name: 'registration with licenses and its link',
    path: '/registerdevice?user_code=THREE009',
    open: async (page) => {
      await page.getByRole('radio').first().waitFor()
      await press(page, 'Show link')
      // Nothing stands half under the header by how far that scrolled.
      await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
    }
  }
]
