import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { openAs, startBrowser } from './browser.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const M = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const NORTHWIND = `${ORGANIZATION}/customers/${NOTABLE.northwind}`
const { invitations } = portal.sandbox.state

t.beforeEach(() => portal.sandbox.faults.clear())

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
    await page.getByRole('button', { name: 'Send invitations' }).click()
    await page.getByText('14 of 15 sent, 1 not sent').waitFor()
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
    t.equal(await page.getByRole('list', { name: 'Addresses' }).getByRole('listitem').count(), 5)
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
