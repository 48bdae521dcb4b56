import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest, choose, unexpected } from '../support/browser/browser.ts'

const { portal, open } = await browserTest(t)
const API = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const { users, invitations } = portal.sandbox.state

const rolesSent = (userId: string) =>
  portal.sandbox.calls
    .filter(
      ({ method, url }) => method === 'PATCH' && url.startsWith(`${API}/users/${userId}/roleAssignments`)
    )
    .map(({ body }) => body)
const rolesOf = (userId: string) =>
  users.get(userId)?.roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`)

t.beforeEach(() => portal.sandbox.faults.clear())

t.test('removing access lists the lost roles first, and removes the roles', async (t) => {
  const { page } = await open('partner.admin', '/users?q=niagara.remote')
  await choose(page, /Actions for Nils/, 'Remove access')
  await page.getByRole('alertdialog').getByText('Niagara Remote').waitFor()
  await page.getByRole('button', { name: 'Remove access' }).click()
  await page.getByText('Access of Nils Rasmussen removed.').first().waitFor()
  t.strictSame(rolesOf('u-niagara-remote'), [])
})

t.test('leaving the form for new users asks about the invitation, not about saving', async () => {
  const { page } = await open('partner.admin', '/users/adduser')
  await page.getByLabel('E-mail addresses').fill('new.person@example.com ')
  await page.getByText('1 of 1 can be invited').waitFor()
  const question = page.getByRole('alertdialog', { name: 'Leave without sending the invitation?' })
  await page.getByRole('link', { name: 'Saved Reports' }).click()
  await question.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Step 2 of 2: Roles and access').waitFor()
  await page.getByRole('link', { name: 'Saved Reports' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Saved Reports' }).waitFor()
})

t.test('retries the one failed invitation of 15, and keeps invalid addresses for correction', async (t) => {
  const { page, errors } = await open('partner.admin', '/users/adduser')
  const validAddresses = Array.from({ length: 15 }, (_, index) => `new.person.${index}@example.com`)
  const longAddress = `${'x'.repeat(308)}@example.com`
  const list = [
    ...validAddresses,
    'no-address',
    'two@@example.com',
    longAddress,
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
  await page.route(`**${API}/userInvitations`, (route) =>
    route.request().postData()?.includes('new.person.7@')
      ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
      : route.continue()
  )
  await page.getByText('15 people will be invited to Meridian Building Controls').waitFor()
  await page.getByRole('button', { name: 'Send invitations' }).click()
  const results = page.getByRole('region', { name: 'Invitations' })
  await results.getByText('14 of 15 sent, 1 not sent').waitFor()
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Invitations')
  const failedItem = page
    .getByRole('list', { name: 'Results' })
    .getByRole('listitem')
    .filter({ hasText: 'person.7@' })
  t.match(await failedItem.textContent(), /Not sent.*Network Connectivity Failed/)
  await page.unroute(`**${API}/userInvitations`)
  await page.getByRole('button', { name: 'Retry new.person.7@example.com' }).click()
  await page.getByText('15 of 15 sent').waitFor()
  const sentInvitations = [...invitations.values()].filter(({ email }) => email.startsWith('new.person.'))
  t.equal(sentInvitations.length, 15)
  await page.getByRole('button', { name: 'Correct them' }).click()
  await page.getByText('Step 1 of 2: Who').waitFor()
  const invalidAddresses = page.getByRole('list', { name: 'Addresses' }).getByRole('listitem')
  await invalidAddresses.first().waitFor()
  t.equal(await invalidAddresses.count(), 5)
  t.strictSame(unexpected(errors, '503'), [])
})

t.test('an expired invitation is sent again and withdrawn', async (t) => {
  const { page } = await open('partner.admin', '/users?tab=invitations&q=mensah')
  const row = page.getByRole('row', { name: /j\.mensah@northwind\.example/ })
  await row.getByText('Expired').waitFor()
  await choose(row, /Actions/, 'Resend')
  await page.getByText('Invitation sent to j.mensah@northwind.example.').first().waitFor()
  await row.getByText('in 14 days').waitFor()
  await choose(row, /Actions/, 'Cancel invitation')
  await page.getByRole('button', { name: 'Withdraw invitation' }).click()
  await page.getByText('Invitation to j.mensah@northwind.example withdrawn.').first().waitFor()
  t.notOk([...invitations.values()].some(({ email }) => email.startsWith('j.mensah')))
})

t.test('changes access as listed in the confirmation', async (t) => {
  const { page, errors } = await open('partner.admin', '/users/u-custom-user')
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
  t.equal(lines.filter((line) => line.includes('narrower scope')).length, 2, 'lists the replaced roles')
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

t.test('access is copied from another user', async (t) => {
  const { page } = await open('partner.admin', '/users/u-nds-operator?edit=1')
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
