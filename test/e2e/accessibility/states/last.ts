// Lists that cannot be loaded, which load the page anew; and what stays open wherever one goes.
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { isFailing, NORTHWIND, type States } from '../state.ts'
import { ONE } from './projects.ts'

export const last: States = () => [
  {
    name: 'users that cannot be loaded',
    path: '/users',
    open: async (page) => {
      await isFailing(page, '**/allUsers?*')
      await page.reload()
      await page.getByRole('heading', { name: 'Network Connectivity Failed' }).first().waitFor()
    }
  },
  {
    name: 'service accounts that cannot be loaded',
    path: `${NORTHWIND}/serviceaccount`,
    open: async (page) => {
      await isFailing(page, `**/organizations/${NOTABLE.northwind}/serviceAccounts?*`)
      await page.reload()
      await page.getByRole('heading', { name: 'Network Connectivity Failed' }).first().waitFor()
    }
  },
  {
    name: 'reports that cannot be loaded',
    path: '/reports',
    open: async (page) => {
      await isFailing(page, `**/api/v1/charts-and-reports/*/reports*`)
      await page.reload()
      await page.getByRole('heading', { name: 'Network Connectivity Failed' }).waitFor()
    }
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
