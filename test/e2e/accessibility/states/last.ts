// States that need a reload or stay open over every page.
import { refuse } from '../../../support/browser/browser.ts'
import type { States } from '../state.ts'
import { ONE } from './projects.ts'

export const last: States = () => [
  {
    name: 'users that cannot be loaded',
    path: '/users',
    open: async (page) => {
      await refuse(page, '**/allUsers?*', 503)
      await page.reload()
      await page.getByRole('heading', { name: 'Network Connectivity Failed' }).first().waitFor()
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
