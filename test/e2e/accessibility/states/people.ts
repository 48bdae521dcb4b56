import { NORTHWIND, press, type States } from '../state.ts'

const ACCOUNTS = `${NORTHWIND}/serviceaccount`

export const people: States = () => [
  {
    name: 'invitations',
    path: '/users?tab=invitations',
    open: (page) => page.getByRole('rowheader', { name: /santos/ }).waitFor()
  },
  {
    name: 'editing access',
    path: '/users/u-custom-user?edit=1',
    open: (page) => page.getByRole('radio', { name: 'Custom' }).check()
  },
  {
    name: 'saving access',
    path: '/users/u-custom-user?edit=1',
    open: async (page) => {
      await page.getByRole('radio', { name: 'Standard' }).check()
      await press(page, 'Save…')
      await page.getByRole('alertdialog').waitFor()
    }
  },
  {
    name: 'adding users',
    path: '/users/adduser',
    open: async (page) => {
      await page.getByLabel('E-mail addresses').fill('a@b.example, bad@, partner.user@portal.example ')
      await page.getByText('Already a user').waitFor()
    }
  },
  {
    name: 'a new service account with an invalid name and custom access',
    path: `${ACCOUNTS}/create`,
    open: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Night <bot>')
      await page.getByRole('radio', { name: 'Custom' }).check()
    }
  },
  {
    name: 'a new secret',
    path: `${ACCOUNTS}/sa-1001-2`,
    open: async (page) => {
      await press(page, 'Regenerate secret')
      await page.getByLabel('Type “Fault Detection” to confirm').fill('Fault Detection')
      await page.keyboard.press('Enter')
      await page.getByRole('checkbox', { name: 'I have stored the secret' }).waitFor()
    }
  }
]
