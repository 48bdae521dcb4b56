import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { openAs, startBrowser } from './browser.ts'
import { contentOf } from './support/downloads.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const M = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const { users } = portal.sandbox.state

const rolesOf = (userId: string) =>
  users.get(userId)?.roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`)

t.beforeEach(() => portal.sandbox.faults.clear())

t.test('whoever may not see users finds no way in: menu, address, call', async (t) => {
  const outsiders = ['partner.user', 'customer.user', 'niagara.remote', 'nds.operator', 'customer.multi']
  for (const username of outsiders) {
    const person = await portal.as(username)
    for (const path of [
      `${M}/users`,
      `${M}/organizations/${NOTABLE.partner}/allUsers`,
      `${M}/organizations/${NOTABLE.northwind}/userInvitations`,
      `${M}/users/u-partner-admin`
    ])
      t.equal((await person.call(path)).status, 403, `${username} ${path}`)
    const body = JSON.stringify({ create: [{ role: '/roles/2', scope: ORGANIZATION }] })
    const answer = await person.call(`${M}/users/u-partner-user/roleAssignments`, {
      method: 'PATCH',
      body,
      headers: { 'content-type': 'application/json' }
    })
    t.equal(answer.status, 403, `${username} gives roles`)
  }
  const { page } = await openAs(browser, portal, 'partner.user', '/users')
  for (const path of ['/users', '/users/u-partner-admin', '/users/adduser', '/users/adduser/rolesaccess']) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
    t.equal(await page.getByRole('link', { name: 'Users & Roles' }).count(), 0)
  }
})

t.test('a customer admin sees their own customer alone, and is led nowhere that is refused', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'customer.admin', '/users')
  await page.getByRole('row', { name: /Carla Almeida/ }).waitFor()
  t.equal(await page.getByRole('columnheader', { name: 'Organization' }).count(), 0)
  t.equal(await page.getByRole('combobox', { name: 'Customer' }).count(), 0)
  t.strictSame(errors, [])
  await page.goto('/users/u-partner-admin')
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await page.goto(`/users/u-customer-user/customer/${NOTABLE.withoutDevices}`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
})

t.test('the list is searched, filtered, sorted and paged by its address, and saved as a file', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users')
  await page.getByText(/^1–15 of \d+$/).waitFor()
  await page.getByRole('button', { name: 'Role' }).click()
  await page.getByRole('checkbox', { name: 'Partner admin' }).click()
  await page.getByRole('checkbox', { name: 'Customer admin' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('Role: Customer admin').waitFor()
  t.match(page.url(), /role=partner_admin%2Ccustomer_admin/)
  await page.getByRole('combobox', { name: 'Customer' }).fill('Northwind')
  await page.getByRole('option', { name: 'Northwind Hospitals' }).click()
  await page.getByRole('row', { name: /Carla Almeida/ }).waitFor()
  await page.getByRole('button', { name: 'Last active' }).click()
  await page.locator('th[aria-sort=ascending]', { hasText: 'Last active' }).waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click()
  ])
  const file = (await contentOf(download)).toString()
  const rows = await page.getByRole('rowheader').count()
  t.equal(file.trim().split('\r\n').length, rows + 1, 'the file has what the filter lets through')
  t.match(file, 'Customer admin at Northwind Hospitals')

  await page.reload()
  await page.getByRole('row', { name: /Carla Almeida/ }).waitFor()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('nobody at all')
  await page.getByRole('heading', { name: 'No users match “nobody at all”' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText(/^1–15 of \d+$/).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText(/^16–30 of \d+$/).waitFor()
  t.match(page.url(), /page=2/)
  t.strictSame(errors, [])
})

t.test(
  'a column that is not wanted stays away, and what is open in a row is not of the next page',
  async (t) => {
    const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users')
    await page.getByRole('button', { name: 'Columns' }).click()
    t.equal(
      await page.getByRole('checkbox', { name: 'Name', exact: true }).count(),
      0,
      'the name always shows'
    )
    await page.getByRole('checkbox', { name: 'Last active' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Last active' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText(/^1–15 of \d+$/).waitFor()
    t.equal(await page.getByRole('columnheader', { name: 'Last active' }).count(), 0)

    const names = () => page.getByRole('rowheader').allTextContents()
    const before = await names()
    await page.route('**/allUsers?*page=1*', async (route) => {
      // The menu opens while the next page is on its way.
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click()
      await page.getByRole('menuitem').first().waitFor()
      await route.continue()
    })
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('link', { name: before[0] ?? '', exact: true }).waitFor({ state: 'detached' })
    t.equal(await page.getByRole('menuitem').count(), 0, 'a menu ends with the row that it is of')
    const after = await names()
    t.strictSame(
      after.filter((name) => before.includes(name)),
      [],
      'all rows are others'
    )
    const actions = await page.getByRole('button', { name: /^Actions for/ }).allTextContents()
    t.strictSame(
      actions,
      after.map((name) => `Actions for ${name}`),
      'and each has its own actions'
    )
    t.strictSame(errors, [])
  }
)

t.test('on a phone filters are taken together, from a sheet that says how many hold', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users', { width: 390 })
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByLabel('Type').selectOption('CUSTOMER')
  await sheet.getByLabel('Sort by').selectOption('email desc')
  t.notMatch(page.url(), /type=/, 'nothing is taken before')
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Filters 1 chosen' }).waitFor()
  t.match(page.url(), /type=CUSTOMER&sort=email&order=desc/)
  await page.getByRole('button', { name: 'Filters 1 chosen' }).click()
  await sheet.getByRole('button', { name: 'Clear filters' }).click()
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor()
  t.notMatch(page.url(), /type=/)
  t.strictSame(errors, [])
})

t.test('a global admin works for the integrator that is chosen, and adds nobody without one', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'global.admin', '/')
  await page.getByText('All users of the portal. Choose an integrator to add users.').waitFor()
  t.equal(await page.getByRole('link', { name: 'Add user' }).count(), 0)
  await page.goto('/users/adduser')
  await page.getByRole('heading', { level: 1, name: 'Choose an integrator' }).waitFor()
  await page.goto(`/integrators/${NOTABLE.partner}`)
  await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
  await page.goto('/users?q=Paula')
  await page.getByRole('link', { name: 'Paula Andersson' }).click()
  await page.getByRole('button', { name: 'Manage access' }).click()
  await page.getByRole('radio', { name: 'No access' }).check()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.goto('/users')
  await page.getByRole('link', { name: 'Add user' }).click()
  await page.getByText('Step 1 of 2: Who').waitFor()
  t.strictSame(errors, [])
})

t.test('removing access says what is lost and takes it away; not from oneself', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users?q=niagara.remote')
  await page.getByRole('button', { name: /Actions for Nils/ }).click()
  await page.getByRole('menuitem', { name: 'Remove access' }).click()
  await page.getByRole('alertdialog').getByText('Niagara Remote').waitFor()
  await page.getByRole('button', { name: 'Remove access' }).click()
  await page.getByText('Access of Nils Rasmussen removed.').first().waitFor()
  t.strictSame(rolesOf('u-niagara-remote'), [])
  await page.goto('/users?q=Paula')
  await page.getByRole('button', { name: /Actions for Paula/ }).click()
  t.match(
    await page.getByRole('menuitem', { name: /Remove access/ }).textContent(),
    /You cannot remove your own access/
  )
})
