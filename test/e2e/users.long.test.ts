// Users, their invitations and their access, which the tests at the end change.
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { brokenWords } from '../support/browser/broken-words.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { contentOf } from '../support/browser/downloads.ts'
import { misfitsNow } from '../support/browser/fit.ts'
import { goTo } from '../support/browser/walk.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const M = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const NORTHWIND = `${ORGANIZATION}/customers/${NOTABLE.northwind}`
const { users, invitations } = portal.sandbox.state

/** What was sent upstream for a person's roles, the latest last. */
const rolesSent = (userId: string) =>
  portal.sandbox.calls
    .filter(({ method, url }) => method === 'PATCH' && url.startsWith(`${M}/users/${userId}/roleAssignments`))
    .map(({ body }) => body)
const rolesOf = (userId: string) =>
  users.get(userId)?.roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`)

t.beforeEach(() => portal.sandbox.faults.clear())

t.test('a customer admin sees their own customer alone, and is led nowhere that is refused', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'customer.admin', '/users')
  await page.getByRole('row', { name: /Carla Almeida/ }).waitFor()
  t.equal(await page.getByRole('columnheader', { name: 'Organization' }).count(), 0)
  t.equal(await page.getByRole('combobox', { name: 'Customer' }).count(), 0)
  t.strictSame(errors, [])
  await goTo(page, '/users/u-partner-admin')
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await goTo(page, `/users/u-customer-user/customer/${NOTABLE.withoutDevices}`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
})

t.test('the list is searched, filtered, sorted and paged by its address, and saved as a file', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users')
  await page.getByText(/^1–15 of \d+$/).waitFor()
  await page.getByRole('button', { name: 'Role', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Partner admin' }).click()
  await page.getByText('Role: Partner admin').waitFor()
  await page.getByRole('checkbox', { name: 'Customer admin' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('Role: Customer admin').waitFor()
  t.match(page.url(), /role=partner_admin%2Ccustomer_admin/)
  await page.getByRole('combobox', { name: 'Customer' }).fill('Northwind')
  await page.getByRole('option', { name: 'Northwind Hospitals' }).click()
  await page.getByRole('row', { name: /Carla Almeida/ }).waitFor()
  await page.getByRole('button', { name: 'Last active' }).click()
  await page.locator('th[aria-sort=ascending]', { hasText: 'Last active' }).waitFor()
  // Rows of before stay until those of the filter are there.
  await calm(page)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click()
  ])
  const file = (await contentOf(download)).toString()
  const rows = await page.getByRole('rowheader').count()
  t.equal(file.trim().split('\r\n').length, rows + 1, 'the file has what the filter lets through')
  t.match(file, 'Customer admin at Northwind Hospitals')
  t.match(file, /^\ufeffName,.*,Roles,Access,/)
  t.match(file, /Paula Andersson,.*,All customers,/, 'who has access to all customers has it to this one')

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

t.test('what is open in a row is not of the next page', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users')
  await page.getByText(/^1–15 of \d+$/).waitFor()
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
})

t.test('a global admin works for the integrator that is chosen, and adds nobody without one', async (t) => {
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

t.test('removing access says what is lost and takes it away', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users?q=niagara.remote')
  await page.getByRole('button', { name: /Actions for Nils/ }).click()
  await page.getByRole('menuitem', { name: 'Remove access' }).click()
  await page.getByRole('alertdialog').getByText('Niagara Remote').waitFor()
  await page.getByRole('button', { name: 'Remove access' }).click()
  await page.getByText('Access of Nils Rasmussen removed.').first().waitFor()
  t.strictSame(rolesOf('u-niagara-remote'), [])
})

t.test(
  '20 addresses, 3 of them bad, and a failure in the middle: the rest is sent, nothing is lost',
  async (t) => {
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

    await page.getByRole('radio', { name: 'Custom' }).check()
    const picker = page.getByRole('searchbox', { name: 'Search customers' })
    await picker.fill('northwind')
    await page.getByRole('checkbox', { name: 'User for Northwind Hospitals' }).check()
    await picker.fill('alder')
    await page.getByRole('checkbox', { name: 'Admin for Alder University' }).check()
    t.equal(
      await page.getByRole('checkbox', { name: 'User for Alder University' }).getAttribute('aria-disabled'),
      'true'
    )
    await page.route(`**${M}/userInvitations`, (route) =>
      route.request().postData()?.includes('new.person.7@')
        ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
        : route.continue()
    )
    await page.getByText('15 people will be invited to Meridian Building Controls').waitFor()
    await page.getByRole('button', { name: 'Send invitations' }).click()
    const results = page.getByRole('region', { name: 'Invitations' })
    await results.getByText('14 of 15 sent, 1 not sent').waitFor()
    t.ok(((await results.boundingBox())?.y ?? 900) < 450, 'what became of them is in view')
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
    t.match(sent[0]?.roleAssignments.map(({ roleName }) => roleName).sort(), [
      'custom',
      'customer_admin',
      'customer_user'
    ])
    await page.getByRole('button', { name: 'Correct them' }).click()
    await page.getByText('Step 1 of 2: Who').waitFor()
    const left = page.getByRole('list', { name: 'Addresses' }).getByRole('listitem')
    await left.first().waitFor()
    t.equal(await left.count(), 5)
    t.strictSame(
      errors.filter((text) => !text.includes('503')),
      []
    )
  }
)

t.test('a user of a customer is invited by keyboard, and comes without step 1 nowhere', async (t) => {
  const { page } = await openAs(browser, portal, 'customer.admin', '/users/adduser/rolesaccess')
  await page.getByText('Step 1 of 2: Who').waitFor()
  await page.getByLabel('E-mail addresses').focus()
  await page.keyboard.type('sam.lee@northwind.example')
  await page.keyboard.press('Enter')
  await page.getByText('1 of 1 can be invited').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Next' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Step 2 of 2: Roles and access').waitFor()
  await page.getByRole('radio', { name: 'Admin' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Send invitation' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('1 invitation sent.').first().waitFor()
  await page.getByRole('row', { name: /sam\.lee@northwind\.example/ }).waitFor()
  t.match(page.url(), /tab=invitations/)
  const [invitation] = [...invitations.values()].filter(({ email }) => email.startsWith('sam.lee'))
  t.match(invitation, {
    customerId: NOTABLE.northwind,
    roleAssignments: [{ roleName: 'customer_admin', scope: NORTHWIND }]
  })
})

t.test('an address is checked before it goes on, however quickly Enter is pressed', async (t) => {
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

t.test('on a phone no word of somebody’s access is broken', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users', { width: 390 })
  for (const id of ['u-custom-user', 'u-partner-user']) {
    await goTo(page, `/users/${id}`)
    await page.getByRole('heading', { name: 'Effective access' }).waitFor()
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 900 })
      t.strictSame(await misfitsNow(page, 'mouse'), [])
      t.strictSame(await brokenWords(page), [])
    }
  }
})

t.test('an expired invitation says so and is sent again; another one is withdrawn', async (t) => {
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

t.test('why somebody can do something is at most three clicks away', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users?q=Cosmo')
  await page.getByRole('link', { name: 'Cosmo Ulrich' }).click()
  const row = page.getByRole('row', { name: /Acknowledge and edit alarms/ })
  await row.filter({ hasText: /Allowed.*Customer admin, assigned at/ }).waitFor()
  await page.getByRole('combobox', { name: 'At', exact: true }).click()
  await page.getByRole('option', { name: 'Grand Harbour Hotels' }).click()
  await row.filter({ hasText: 'Not allowed' }).waitFor()
  t.pass()
})

t.test('access is changed by pointer: preview, the lines, and the body that they are', async (t) => {
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
  t.equal(lines.filter((line) => line.includes('narrower scope')).length, 2, 'what is replaced is said')
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

t.test('access is changed by keyboard alone', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'customer.admin',
    `/users/u-customer-user/customer/${NOTABLE.northwind}`
  )
  const tabTo = async (name: RegExp) => {
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null
        return element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
      })
      if (name.test(focused)) return
    }
    throw new Error(`${name} is not to be reached`)
  }
  await page.getByRole('radio', { name: 'Standard' }).waitFor()
  await tabTo(/^Standard/)
  await tabTo(/^NDS operator/)
  await page.keyboard.press('Space')
  await tabTo(/^Save…/)
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Access of Chen Ueda changed.').first().waitFor()
  t.strictSame(rolesOf('u-customer-user'), [`customer_user at ${NORTHWIND}`, `nds_operator at ${NORTHWIND}`])
})

t.test('one does not take away one’s own admin role, nor the last one of a customer', async (t) => {
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

t.test('a conflict and a refusal are said in the dialog, and nothing typed is lost', async (t) => {
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

t.test('a role with an unknown number is told as such', async (t) => {
  users.get('u-niagara-remote')?.roleAssignments.push({
    id: 'ra-odd',
    scope: ORGANIZATION,
    roleNumber: 42,
    roleName: 'mystery'
  })
  const { page } = await openAs(browser, portal, 'partner.admin', '/users/u-niagara-remote')
  await page.getByText(/\(mystery\) is not known to the portal/).waitFor()
  t.pass()
})

t.test('access is copied from another user, as far as it may be given', async (t) => {
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
