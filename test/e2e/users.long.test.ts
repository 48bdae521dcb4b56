// Users, invitations and access.
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { goTo } from '../support/browser/walk.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const M = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const NORTHWIND = `${ORGANIZATION}/customers/${NOTABLE.northwind}`
const { users, invitations } = portal.sandbox.state

/** The bodies sent upstream for a user's roles. */
const rolesSent = (userId: string) =>
  portal.sandbox.calls
    .filter(({ method, url }) => method === 'PATCH' && url.startsWith(`${M}/users/${userId}/roleAssignments`))
    .map(({ body }) => body)
const rolesOf = (userId: string) =>
  users.get(userId)?.roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`)

t.beforeEach(() => portal.sandbox.faults.clear())

t.test('an open menu closes when its row gives way to the next page', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users')
  await page.getByText(/^1–15 of \d+$/).waitFor()
  const names = () => page.getByRole('rowheader').allTextContents()
  const before = await names()
  await page.route('**/allUsers?*page=1*', async (route) => {
    // The menu opens while the next page loads.
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem').first().waitFor()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('link', { name: before[0] ?? '', exact: true }).waitFor({ state: 'detached' })
  t.equal(await page.getByRole('menuitem').count(), 0, 'the menu closed')
  const after = await names()
  t.strictSame(
    after.filter((name) => before.includes(name)),
    [],
    'no row stayed'
  )
  const actions = await page.getByRole('button', { name: /^Actions for/ }).allTextContents()
  t.strictSame(
    actions,
    after.map((name) => `Actions for ${name}`),
    'each row has its own actions'
  )
  t.strictSame(errors, [])
})

t.test('a global admin adds users only after choosing an integrator', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'global.admin', '/')
  await page.getByText('All users of the portal. Choose an integrator to add users.').waitFor()
  t.equal(await page.getByRole('link', { name: 'Add user' }).count(), 0)
  await goTo(page, '/users/adduser')
  await page.getByRole('heading', { level: 1, name: 'Choose an integrator' }).waitFor()
  await goTo(page, `/integrators/${NOTABLE.partner}`)
  await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
  await goTo(page, '/users?q=Paula')
  await page.getByRole('link', { name: 'Paula Andersson' }).click()
  await page.getByRole('button', { name: 'Manage access' }).click()
  await page.getByRole('radio', { name: 'No access' }).check()
  await page.getByRole('button', { name: 'Reset' }).click()
  await goTo(page, '/users')
  await page.getByRole('link', { name: 'Add user' }).click()
  await page.getByText('Step 1 of 2: Who').waitFor()
  t.strictSame(errors, [])
})

t.test('removing access names the lost roles and removes them', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users?q=niagara.remote')
  await page.getByRole('button', { name: /Actions for Nils/ }).click()
  await page.getByRole('menuitem', { name: 'Remove access' }).click()
  await page.getByRole('alertdialog').getByText('Niagara Remote').waitFor()
  await page.getByRole('button', { name: 'Remove access' }).click()
  await page.getByText('Access of Nils Rasmussen removed.').first().waitFor()
  t.strictSame(rolesOf('u-niagara-remote'), [])
})

t.test('a failed invitation among 15 is sent again, and bad addresses stay to be corrected', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users/adduser')
  const good = Array.from({ length: 15 }, (_, index) => `new.person.${index}@example.com`)
  const long = `${'x'.repeat(308)}@example.com`
  const list = [
    ...good,
    'no-address',
    'two@@example.com',
    long,
    'partner.user@portal.example',
    'r.santos@meridian.example'
  ]
  await page.getByLabel('E-mail addresses').fill(`${list.join(', ')} `)
  await page.getByText('15 of 20 can be invited, 3 cannot.').waitFor()
  t.equal(await page.getByText('Invalid Email').count(), 2)
  t.equal(await page.getByText('Maximum allowed characters is 254').count(), 1)
  await page.getByText('Already a user: Peter Umarov.').waitFor()
  await page.getByText(/Invitation pending since/).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Step 2 of 2: Roles and access').waitFor()
  await page.reload()
  await page.getByText('15 people').waitFor()

  await page.getByRole('radio', { name: 'Standard' }).check()
  await page.route(`**${M}/userInvitations`, (route) =>
    route.request().postData()?.includes('new.person.7@')
      ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
      : route.continue()
  )
  await page.getByText('15 people will be invited to Meridian Building Controls').waitFor()
  await page.getByRole('button', { name: 'Send invitations' }).click()
  const results = page.getByRole('region', { name: 'Invitations' })
  await results.getByText('14 of 15 sent, 1 not sent').waitFor()
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Invitations')
  const failed = page
    .getByRole('list', { name: 'Results' })
    .getByRole('listitem')
    .filter({ hasText: 'person.7@' })
  t.match(await failed.textContent(), /Not sent.*Network Connectivity Failed/)
  await page.unroute(`**${M}/userInvitations`)
  await page.getByRole('button', { name: 'Retry new.person.7@example.com' }).click()
  await page.getByText('15 of 15 sent').waitFor()
  const sent = [...invitations.values()].filter(({ email }) => email.startsWith('new.person.'))
  t.equal(sent.length, 15)
  await page.getByRole('button', { name: 'Correct them' }).click()
  await page.getByText('Step 1 of 2: Who').waitFor()
  const left = page.getByRole('list', { name: 'Addresses' }).getByRole('listitem')
  await left.first().waitFor()
  t.equal(await left.count(), 5)
  t.strictSame(
    errors.filter((text) => !text.includes('503')),
    []
  )
})

t.test('a quick second Enter waits until the address is checked', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users/adduser')
  const checks: (() => void)[] = []
  await page.route('**/allUsers?keyword=*', async (route) => {
    await new Promise<void>((resolve) => checks.push(resolve))
    await route.continue()
  })
  const enter = async (address: string) => {
    await page.getByLabel('E-mail addresses').fill(address)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('Checking the addresses…').waitFor()
    const check = await eventually(() => checks.shift())
    check()
  }
  await enter('partner.user@portal.example')
  await page.getByText('Already a user: Peter Umarov.').waitFor()
  await page.getByText('Add at least one address that can be invited').waitFor()
  t.equal(new URL(page.url()).pathname, '/users/adduser')
  await page.getByRole('button', { name: 'Remove partner.user@portal.example' }).click()
  await enter('somebody.new@example.com')
  await page.getByText('Step 2 of 2: Roles and access').waitFor()
  await page.getByText('1 person will be invited to Meridian Building Controls').waitFor()
})

t.test('an expired invitation is sent again and withdrawn', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users?tab=invitations&q=mensah')
  const row = page.getByRole('row', { name: /j\.mensah@northwind\.example/ })
  await row.getByText('Expired').waitFor()
  await row.getByRole('button', { name: /Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Resend' }).click()
  await page.getByText('Invitation sent to j.mensah@northwind.example.').first().waitFor()
  await row.getByText('in 14 days').waitFor()
  await row.getByRole('button', { name: /Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Cancel invitation' }).click()
  await page.getByRole('button', { name: 'Withdraw invitation' }).click()
  await page.getByText('Invitation to j.mensah@northwind.example withdrawn.').first().waitFor()
  t.notOk([...invitations.values()].some(({ email }) => email.startsWith('j.mensah')))
})

t.test('the page of a user shows which role allows an action, and where', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users?q=Cosmo')
  await page.getByRole('link', { name: 'Cosmo Ulrich' }).click()
  const row = page.getByRole('row', { name: /Acknowledge and edit alarms/ })
  await row.filter({ hasText: /Allowed.*Customer admin, assigned at/ }).waitFor()
  await page.getByRole('combobox', { name: 'At', exact: true }).click()
  await page.getByRole('option', { name: 'Grand Harbour Hotels' }).click()
  await row.filter({ hasText: 'Not allowed' }).waitFor()
  t.pass()
})

t.test('access is changed as the confirmation lists it', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users/u-custom-user')
  await page.getByRole('button', { name: 'Manage access' }).click()
  await page.getByRole('radio', { name: 'Standard' }).check()
  await page.getByRole('checkbox', { name: /NDS operator/ }).check()
  await page
    .getByText(/changed/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('listitem').first().waitFor()
  const lines = await dialog.getByRole('listitem').allTextContents()
  t.equal(lines.filter((line) => line.startsWith('+')).length, 2)
  t.equal(lines.filter((line) => line.startsWith('−')).length, 3)
  t.equal(lines.filter((line) => line.includes('narrower scope')).length, 2, 'replaced roles')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Access of Cosmo Ulrich changed.').first().waitFor()
  t.match(rolesSent('u-custom-user').at(-1), {
    create: [{ role: '/roles/7', scope: ORGANIZATION }],
    update: [{ id: 'ra-u-custom-user-1', role: '/roles/3', scope: ORGANIZATION }],
    delete: ['ra-u-custom-user-2', 'ra-u-custom-user-3']
  })
  t.strictSame(rolesOf('u-custom-user')?.sort(), [
    `nds_operator at ${ORGANIZATION}`,
    `partner_user at ${ORGANIZATION}`
  ])
  t.strictSame(errors, [])
})

t.test('nobody removes their own admin role, or the last admin of a customer', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'customer.admin',
    `/users/u-customer-admin/customer/${NOTABLE.northwind}`
  )
  const standard = page.getByRole('radio', { name: 'Standard' })
  await page.getByText('You cannot take away your own admin role. Ask another admin.').first().waitFor()
  t.equal(await standard.getAttribute('aria-disabled'), 'true')
  await standard.click({ force: true })
  t.equal(await page.getByRole('radio', { name: 'Admin' }).isChecked(), true)

  for (const user of users.values())
    if (user.id !== 'u-customer-admin')
      user.roleAssignments = user.roleAssignments.filter(
        ({ roleNumber, scope }) => roleNumber !== 4 || scope !== NORTHWIND
      )
  const partner = await openAs(
    browser,
    portal,
    'partner.admin',
    `/users/u-customer-admin/customer/${NOTABLE.northwind}`
  )
  await partner.page
    .getByText('The last Customer admin at Northwind Hospitals: appoint another one first.')
    .first()
    .waitFor()
  t.equal(await partner.page.getByRole('radio', { name: 'Standard' }).getAttribute('aria-disabled'), 'true')
})

t.test('the dialog names a refusal and a conflict, and keeps the choice', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'partner.admin',
    `/users/u-partner-user/customer/${NOTABLE.northwind}`
  )
  const path = `**${M}/users/u-partner-user/roleAssignments`
  const answer = (status: number, detail: string, code?: string) =>
    page.route(path, (route) =>
      route.fulfill({
        status,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status, title: 'Refused', detail, code, requestId: '1' })
      })
    )
  await page.getByRole('radio', { name: 'Admin' }).check()
  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('alertdialog')
  await answer(403, 'The role customer_admin is above your own.')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByText('The role customer_admin is above your own. Nothing was changed.').waitFor()
  await page.unroute(path)
  await answer(409, 'Changed meanwhile.')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByText(/Data Conflict found/).waitFor()
  await dialog.getByRole('button', { name: 'Reload' }).click()
  t.equal(await page.getByRole('radio', { name: 'Admin' }).isChecked(), true, 'the choice is kept')
  await page.unroute(path)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Save your changes?' }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('ALL CUSTOMERS', { exact: true }).waitFor()
})

t.test('access is copied from another user', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users/u-nds-operator?edit=1')
  await page.getByRole('button', { name: 'Copy access from…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill('Peter Umarov')
  await dialog.getByRole('radio', { name: /Peter Umarov/ }).check()
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('checkbox', { name: /Partner user/, checked: true }).waitFor()
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Access of Nadia Okafor changed.').first().waitFor()
  t.strictSame(rolesOf('u-nds-operator'), [`partner_user at ${ORGANIZATION}`])
})
