import '../../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { MANAGEMENT } from '../../../../../support/client/customer.ts'
import {
  type Call,
  CUSTOMERS,
  customersOf,
  NOW,
  pageOf,
  problem,
  user
} from '../../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../../support/client/portal.tsx'
import {
  INVITATIONS,
  invitationsOf,
  PEOPLE,
  roleRecord,
  USERS,
  userRecord,
  usersOf
} from '../../../../../support/client/users.ts'

const NEW_INVITATION = `${MANAGEMENT}/userInvitations`
const INTEGRATORS = '/api/v2/management/organizations/search/findByIsTechViewEnabled'
const REPORTS = '/api/v1/charts-and-reports/9/reports'
const pendingInvitation = {
  id: 'i-1',
  email: 'invited@brightwater.example',
  status: 'PENDING',
  createdDate: NOW,
  roleAssignments: [roleRecord('ra-i', 'partner_user')]
}
const answers = {
  ...PEOPLE,
  [USERS]: usersOf([userRecord(1)]),
  [INVITATIONS]: invitationsOf([pendingInvitation]),
  [NEW_INVITATION]: {},
  [REPORTS]: { page: pageOf(0) },
  [CUSTOMERS]: customersOf('9')
}
const newAddresses = Array.from({ length: 15 }, (_, index) => `new.person.${index}@example.com`)
const INVALID_ADDRESSES = ['no-address', 'two@@example.com', `${'x'.repeat(308)}@example.com`]

async function enterAddresses(
  t: Test,
  addresses: string[],
  portal = openPortal(t, '/users/adduser', { ...answers })
): Promise<Portal> {
  const field = await portal.findByLabelText('E-mail addresses')
  fireEvent.change(field, { target: { value: `${addresses.join(', ')} ` } })
  return portal
}

async function goToRoles(portal: Portal, invitable: string): Promise<void> {
  await portal.findByText(new RegExp(`^${invitable} can be invited`))
  fireEvent.click(portal.getByRole('button', { name: 'Next' }))
  await portal.findByText('Step 2 of 2: Roles and access')
}

async function sendInvitations(portal: Portal) {
  fireEvent.click(await portal.findByRole('radio', { name: 'Standard' }))
  fireEvent.click(portal.getByRole('button', { name: 'Send invitations' }))
  return within(await portal.findByRole('region', { name: 'Invitations' }))
}

t.test('says why an address cannot be invited', async (t) => {
  const portal = await enterAddresses(t, [
    ...newAddresses,
    ...INVALID_ADDRESSES,
    'person.1@brightwater.example',
    pendingInvitation.email
  ])
  await portal.findByText('15 of 20 can be invited, 3 cannot.')
  t.equal(portal.getAllByText('Invalid Email').length, 2)
  portal.getByText('Maximum allowed characters is 254')
  portal.getByText('Already a user: Person 1.', { exact: false })
  portal.getByText(/^Invitation pending since/)
})

t.test(
  'asks before an invitation is lost, also while roles load, but not between its two steps',
  async (t) => {
    const portal = await enterAddresses(t, ['new.person@example.com'])
    const leave = async (answer: 'Stay' | 'Leave') => {
      fireEvent.click(portal.getByRole('link', { name: 'Saved Reports' }))
      const question = await portal.findByRole('alertdialog', {
        name: 'Leave without sending the invitation?'
      })
      fireEvent.click(within(question).getByRole('button', { name: answer }))
    }
    await leave('Stay')
    await goToRoles(portal, '1 of 1')
    await leave('Leave')
    await portal.findByRole('heading', { level: 1, name: 'Saved Reports' })
    t.equal(portal.callsTo(NEW_INVITATION).length, 0)
  }
)

t.test('asks before an invitation is lost to another integrator', async (t) => {
  const organizations = [
    { id: '1', orgName: 'Brightwater Controls' },
    { id: '2', orgName: 'Harbor Systems' }
  ]
  const portal = openPortal(
    t,
    '/users/adduser?organizationId=1',
    { ...answers, [INTEGRATORS]: { _embedded: { organizations } } },
    { user: user('global_admin', '/', { userType: 'INTERNAL', organizationId: null }) }
  )
  await enterAddresses(t, ['new.person@example.com'], portal)
  const box = await portal.findByRole('combobox', { name: 'Integrator' })
  fireEvent.click(box)
  fireEvent.click(await portal.findByRole('option', { name: 'Harbor Systems' }))
  const question = await portal.findByRole('alertdialog', { name: 'Leave without sending the invitation?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Stay' }))
  await goToRoles(portal, '1 of 1')
  t.equal(portal.address(), '/users/adduser/rolesaccess?organizationId=1')
})

t.test('retries the one failed invitation of 15', async (t) => {
  const portal = await enterAddresses(t, newAddresses)
  await goToRoles(portal, '15 of 15')
  portal.gateway.answers[NEW_INVITATION] = ({ body }: Call) =>
    (body as { email: string }).email === 'new.person.7@example.com' ? problem(503) : {}
  await portal.findByText(/will be invited to Brightwater Controls/)
  const results = await sendInvitations(portal)
  await results.findByText('14 of 15 sent, 1 not sent')
  t.ok(document.activeElement === results.getByRole('heading', { name: 'Invitations' }))
  const failedItem = results.getByText('new.person.7@example.com').closest('li')
  t.match(failedItem?.textContent, /Not sent.*Network Connectivity Failed/)

  portal.gateway.answers[NEW_INVITATION] = {}
  fireEvent.click(results.getByRole('button', { name: 'Retry new.person.7@example.com' }))
  await portal.findByText('15 invitations sent.')
  const sentAddresses = portal.callsTo(NEW_INVITATION).map(({ body }) => (body as { email: string }).email)
  t.strictSame(sentAddresses, [...newAddresses, 'new.person.7@example.com'])
})

t.test('does not call an invitation “not sent” whose answer was lost', async (t) => {
  const portal = await enterAddresses(t, ['new.person@example.com'])
  await goToRoles(portal, '1 of 1')
  portal.gateway.answers[NEW_INVITATION] = problem(504)
  fireEvent.click(await portal.findByRole('radio', { name: 'Standard' }))
  fireEvent.click(portal.getByRole('button', { name: 'Send invitation' }))
  const results = within(await portal.findByRole('region', { name: 'Invitations' }))
  await results.findByText('0 of 1 sent, 1 not known')
  const item = results.getByText('new.person@example.com').closest('li')
  t.match(item?.textContent, /Not known.*The invitation may have been sent anyway\./)
  results.getByRole('button', { name: 'Retry new.person@example.com' })
})

t.test('keeps addresses that cannot be invited for correction', async (t) => {
  const portal = await enterAddresses(t, ['new.person@example.com', ...INVALID_ADDRESSES])
  await goToRoles(portal, '1 of 4')
  fireEvent.click(await portal.findByRole('radio', { name: 'Standard' }))
  fireEvent.click(portal.getByRole('button', { name: 'Send invitation' }))
  await portal.findByText('1 of 1 sent')
  fireEvent.click(portal.getByRole('button', { name: 'Correct them' }))
  await portal.findByText('Step 1 of 2: Who')
  const list = within(portal.getByRole('list', { name: 'Addresses' }))
  await waitFor(() => assert.equal(list.getAllByRole('listitem').length, 3))
  t.pass()
})

t.test('sends a pending invitation again once, reloads it, and offers a failed one again', async (t) => {
  const resend = `${MANAGEMENT}/userInvitation/i-1/resend`
  let fail = (_status: number) => {}
  const portal = await enterAddresses(t, [pendingInvitation.email])
  portal.gateway.answers[resend] = () =>
    new Promise((resolve) => {
      fail = (status) => resolve(problem(status))
    })
  const button = await portal.findByRole('button', { name: 'Resend' })
  fireEvent.click(button)
  fireEvent.click(button)
  t.equal(button.getAttribute('aria-busy'), 'true')
  await waitFor(() => assert.equal(portal.callsTo(resend).length, 1))
  fail(503)
  await portal.findByText(/^The invitation to invited@brightwater.example was not sent\./)
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await waitFor(() => assert.equal(portal.callsTo(resend).length, 2))
  fail(504)
  await portal.findByText(/^The invitation to invited@brightwater.example may not have been sent\./)
  const sentAgain = { ...pendingInvitation, createdDate: '2026-05-04T00:00:00Z' }
  Object.assign(portal.gateway.answers, { [resend]: {}, [INVITATIONS]: invitationsOf([sentAgain]) })
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByText('04-May-2026')
  t.equal(portal.callsTo(resend).length, 3)
})

const OF_CUSTOMER = '/api/v2/management/organizations/9'
const OF_CUSTOMER_LIST = '/users?at=9&tab=invitations'

/** A person who may add users to the integrator and to its customer 9, and chose the customer. */
function openForCustomer(t: Test): Portal {
  const admin = user('partner_admin', '/organizations/1')
  const roleAssignments = [
    ...admin.roleAssignments,
    ...user('customer_admin', '/organizations/1/customers/9').roleAssignments
  ]
  return openPortal(
    t,
    '/users/adduser?at=9',
    {
      ...answers,
      [`${OF_CUSTOMER}/allUsers`]: usersOf([]),
      [`${OF_CUSTOMER}/userInvitations`]: invitationsOf([])
    },
    { user: { ...admin, roleAssignments } }
  )
}

t.test('leads back to the users of the organization of the address', async (t) => {
  const portal = openForCustomer(t)
  const crumb = await portal.findByRole('link', { name: 'Users and Roles' })
  t.equal(crumb.getAttribute('href'), '/users?at=9')
  fireEvent.click(portal.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => assert.equal(portal.address(), '/users?at=9'))
})

t.test('shows the invitations of the organization of the address', async (t) => {
  for (const leftOut of [[], INVALID_ADDRESSES]) {
    const portal = await enterAddresses(t, ['new.person@example.com', ...leftOut], openForCustomer(t))
    await goToRoles(portal, `1 of ${1 + leftOut.length}`)
    t.equal(portal.getByRole('link', { name: 'Users and Roles' }).getAttribute('href'), '/users?at=9')
    fireEvent.click(await portal.findByRole('radio', { name: 'Standard' }))
    fireEvent.click(portal.getByRole('button', { name: 'Send invitation' }))
    if (leftOut.length > 0) {
      fireEvent.click(await portal.findByRole('button', { name: 'Show invitations' }))
      fireEvent.click(await portal.findByRole('button', { name: 'Leave' }))
    }
    await waitFor(() => assert.equal(portal.address(), OF_CUSTOMER_LIST))
    portal.unmount()
  }
})
