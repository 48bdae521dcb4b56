import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../../support/browser/browser.ts'

const { portal, open } = await browserTest(t)

t.test('a partner invites two people with access to chosen customers', async (t) => {
  const { page, errors } = await open('partner.admin', '/users')
  await page.getByRole('link', { name: 'Add user' }).click()
  await page
    .getByLabel('E-mail addresses')
    .fill('sam.lee@example.com, no-address, partner.user@portal.example, kim.fox@example.com ')
  await page.getByText('2 of 4 can be invited, 1 cannot.').waitFor()
  await page.getByText('Already a user: Peter Umarov.').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Step 2 of 2: Roles and access').waitFor()
  await page.reload()
  await page.getByText('2 people').first().waitFor()
  await page.getByRole('radio', { name: 'Custom' }).check()
  const picker = page.getByRole('searchbox', { name: 'Search customers' })
  await picker.fill('northwind')
  await page.getByRole('checkbox', { name: 'User for Northwind Hospitals' }).check()
  await picker.fill('alder')
  await page.getByRole('checkbox', { name: 'Admin for Alder University' }).check()
  await page.getByText('2 people will be invited to Meridian Building Controls').waitFor()
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByRole('region', { name: 'Invitations' }).getByText('2 of 2 sent').waitFor()

  const newInvitations = [...portal.sandbox.state.invitations.values()].filter(({ email }) =>
    /^(?:sam\.lee|kim\.fox)@/.test(email)
  )
  t.equal(newInvitations.length, 2)
  const organization = `/organizations/${NOTABLE.partner}`
  for (const { roleAssignments } of newInvitations)
    t.strictSame(roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`).sort(), [
      `custom at ${organization}`,
      `customer_admin at ${organization}/customers/${NOTABLE.multi[0]}`,
      `customer_user at ${organization}/customers/${NOTABLE.northwind}`
    ])
  t.strictSame(errors, [])
})
