import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { violations, WIDTHS } from './accessibility.ts'
import { openAs, startBrowser } from './browser.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

t.test('axe finds nothing in any state, in both themes, on phone and desktop', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users', { width: 1280 })
  const clean = async (state: string) => t.strictSame(await violations(page, WIDTHS), [], state)
  await page.getByText(/^1–15 of \d+$/).waitFor()
  await clean('list')
  await page.goto('/users?q=nobody+at+all')
  await page.getByRole('button', { name: 'Clear filters' }).waitFor()
  await clean('no match')
  await page.goto('/users?tab=invitations')
  await page.getByText(/santos/).waitFor()
  await clean('invitations')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/users/u-custom-user?edit=1')
  await page.getByRole('radio', { name: 'Custom' }).check()
  await clean('editing')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('radio', { name: 'Standard' }).check()
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByRole('alertdialog').waitFor()
  await clean('saving')
  await page.goto(`/users/u-customer-user/customer/${NOTABLE.northwind}`)
  await page.getByRole('radio', { name: 'Standard' }).waitFor()
  await clean('manage access')
  await page.goto('/users/adduser')
  await page.getByLabel('E-mail addresses').fill('a@b.example, bad@, partner.user@portal.example ')
  await page.getByText('Already a user').waitFor()
  await clean('add user')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('radio', { name: 'Standard' }).check()
  await clean('add user, roles')
  await page.route('**/allUsers?*', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
  )
  await page.goto('/users')
  await page.getByRole('heading', { name: 'Network Connectivity Failed' }).first().waitFor()
  await clean('failed')
})
