import type { Page } from 'playwright-core'
import { NARROW, press, type State, type States } from '../state.ts'
import { ONE } from './projects.ts'

const ACCOUNT = /Paula Andersson/

async function closeAndPress(page: Page, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await press(page, name)
}

export const frame: States = () => [
  {
    name: 'the counts of what needs attention, as cards',
    path: '/?view=cards',
    open: (page) =>
      page
        .getByRole('list', { name: /^What needs attention/ })
        .first()
        .waitFor()
  },
  {
    name: 'notifications',
    path: ONE,
    open: async (page) => {
      await closeAndPress(page, /^Notifications/)
      await page
        .getByRole('dialog', { name: 'Notifications' })
        .getByRole('button', { name: /^Mark as/ })
        .first()
        .waitFor()
    }
  },
  ...['Configure Notifications', 'Recent messages', 'Your sessions'].map(
    (name): State => ({
      name,
      path: ONE,
      open: async (page) => {
        await closeAndPress(page, ACCOUNT)
        await page.getByRole('menuitem', { name }).click()
        await page.getByRole('dialog', { name }).waitFor()
      }
    })
  ),
  { name: 'the account menu', path: ONE, open: (page) => closeAndPress(page, ACCOUNT) },
  {
    name: 'tech support access',
    path: ONE,
    open: async (page) => {
      await page.keyboard.press('Escape')
      const expand = page.getByRole('button', { name: 'Expand the menu' })
      if (await expand.isVisible()) await expand.click()
      await page.getByRole('switch', { name: 'Tech support access' }).click()
      await page.getByRole('alertdialog').waitFor()
    }
  },
  { name: 'the menu of a phone', path: ONE, open: (page) => closeAndPress(page, 'Open menu'), at: NARROW }
]
