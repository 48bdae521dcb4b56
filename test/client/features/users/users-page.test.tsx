import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { setDisplay } from '../../../support/client/dom.ts'
import { bootstrap, type Call, card, never, problem, user } from '../../../support/client/gateway.ts'
import { openPortal } from '../../../support/client/portal.tsx'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const M = '/api/v2/management'
const USERS = `${M}/organizations/1/allUsers`
const INVITATIONS = `${M}/organizations/1/userInvitations`
const ROLES = `${M}/roles`
const CUSTOMERS = '/api/portal/v1/organizations/1/customers'

const page = (totalElements: number, number = 0, size = 15) => ({
  number,
  size,
  totalPages: Math.ceil(totalElements / size),
  totalElements
})
const person = (number: number, rest: object = {}) => ({
  id: `u-${number}`,
  organizationId: '1',
  organizationName: 'Brightwater Controls',
  fullName: `Person ${number}`,
  email: `person.${number}@brightwater.example`,
  userType: 'PARTNER',
  status: 'ACTIVE',
  roleAssignments: [
    {
      id: `ra-${number}`,
      scope: '/organizations/1',
      roleName: 'ncp_partner_user',
      _links: { role: { href: '/roles/3' } }
    }
  ],
  ...rest
})
const names = ['global_admin', 'partner_admin', 'partner_user', 'customer_admin', 'customer_user']
const roles = {
  _embedded: { roles: names.map((name, index) => ({ roleNumber: index + 1, name })) },
  page: page(5)
}
const listOf = (people: object[]) => (call: Call) => {
  const number = Number(call.query.get('page'))
  return {
    _embedded: { users: people.slice(number * 15, number * 15 + 15) },
    page: page(people.length, number)
  }
}
const people = Array.from({ length: 20 }, (_, index) => person(index + 1))
const answers = {
  [USERS]: listOf(people),
  [INVITATIONS]: { page: page(0) },
  [ROLES]: roles,
  [CUSTOMERS]: { items: [card('9'), card('10')], page: page(2) }
}
type Portal = ReturnType<typeof openPortal>
const last = (portal: Portal, path: string) => Object.fromEntries(portal.callsTo(path).at(-1)?.query ?? [])

t.test('announces that users are loading', async (t) => {
  const portal = openPortal(t, '/users', { ...answers, [USERS]: never })
  await portal.findByText('Loading users')
  portal.getByRole('heading', { level: 1, name: 'Users & Roles' })
})

t.test('a failed list shows an error with Refresh', async (t) => {
  const portal = openPortal(t, '/users', { ...answers, [USERS]: problem(504) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.gateway.answers[USERS] = listOf(people)
  const [, panel] = portal.getAllByRole('button', { name: 'Refresh' })
  fireEvent.click(panel as HTMLElement)
  await portal.findByText('Person 1')
})

t.test('a failed page keeps the previous one', async (t) => {
  const portal = openPortal(t, '/users', answers)
  await portal.findByText('Person 1')
  portal.gateway.answers[USERS] = problem(503)
  fireEvent.click(portal.getByRole('button', { name: 'Next page' }))
  await portal.findByText(/The users below may be out of date/)
  portal.getByText('Person 1')
})

const none = { ...answers, [USERS]: { page: page(0) } }

t.test('an empty list suggests adding the first user', async (t) => {
  const portal = openPortal(t, '/users', none)
  await portal.findByRole('heading', { name: 'No users yet. Add the first user.' })
})

t.test('a search without a match says so', async (t) => {
  const filtered = openPortal(t, '/users?q=zebra', none)
  await filtered.findByRole('heading', { name: 'No users match “zebra”' })
})

t.test('a page past the end shows the last one', async (t) => {
  const portal = openPortal(t, '/users?page=9', answers)
  await portal.findByText('Person 20')
  t.equal(portal.address(), '/users?page=2')
})

t.test('asks for 15 users a page by full name', async (t) => {
  const portal = openPortal(t, '/users', answers)
  await portal.findByText('Person 1')
  t.strictSame(last(portal, USERS), { sort: 'fullName,asc', page: '0', size: '15' })
  fireEvent.click(portal.getByRole('button', { name: 'E-mail' }))
  await waitFor(() => assert.equal(last(portal, USERS).sort, 'email,asc'))
})

t.test('sends role filters by number', async (t) => {
  const filtered = openPortal(t, '/users?role=partner_admin,customer_user&type=CUSTOMER&customer=9', answers)
  await filtered.findByText('Person 1')
  const { query } = filtered.callsTo(USERS).at(-1) as Call
  t.strictSame(query.getAll('role'), ['2', '5'])
  t.match(Object.fromEntries(query), { userType: 'CUSTOMER', customerId: '9' })
})

t.test('marks an unknown role', async (t) => {
  const odd = person(1, {
    roleAssignments: [
      { id: 'ra', scope: '/organizations/1', roleName: 'mystery', _links: { role: { href: '/roles/42' } } }
    ]
  })
  const portal = openPortal(t, '/users', { ...answers, [USERS]: listOf([odd]) })
  await portal.findByText('Unknown: mystery')
})

t.test('an invitation with custom access lists its customers', async (t) => {
  const at = (customerId: string, roleName: string) => ({
    id: `ra-${customerId}-${roleName}`,
    scope: customerId ? `/organizations/1/customers/${customerId}` : '/organizations/1',
    roleName
  })
  const roleAssignments = [at('', 'custom'), at('9', 'customer_user'), at('10', 'customer_admin')]
  const invitation = {
    id: 'i-1',
    email: 'a@b.example',
    status: 'PENDING',
    customerName: null,
    roleAssignments
  }
  const portal = openPortal(t, '/users?tab=invitations', {
    ...answers,
    [INVITATIONS]: { _embedded: { userInvitations: [invitation] }, page: page(1) }
  })
  await portal.findByText('a@b.example')
  await portal.findByText('Customer 9, Customer 10')
})

t.test('marks the caller’s row, and refuses to remove their own access', async (t) => {
  const portal = openPortal(t, '/users', { ...answers, [USERS]: listOf([person(1)]) })
  await portal.findByText('You')
  fireEvent.click(portal.getByRole('button', { name: 'Actions for Person 1' }))
  t.match(portal.getByRole('menuitem', { name: /Remove access/ }).textContent, /your own access/)
})

t.test('on a tablet a sheet has the details and actions of a user', async (t) => {
  setDisplay({ tablet: true })
  t.teardown(() => setDisplay({ tablet: false }))
  const portal = openPortal(t, '/users', answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Details of Person 2' }))
  const sheet = within(await portal.findByRole('dialog', { name: 'Person 2' }))
  t.equal(sheet.getByRole('link', { name: 'Open user' }).getAttribute('href'), '/users/u-2')
  sheet.getByText('person.2@brightwater.example')
  sheet.getByRole('button', { name: 'Remove access' })
  fireEvent.click(sheet.getByRole('button', { name: 'Next user' }))
  portal.getByRole('dialog', { name: 'Person 3' })
})

t.test('does not link users that the caller may not view', async (t) => {
  const admin = user('customer_admin', '/organizations/1/customers/9', {
    userType: 'CUSTOMER',
    organizationId: '9'
  })
  const here = `${M}/organizations/9/allUsers`
  const portal = openPortal(t, '/users', {
    ...answers,
    [BOOTSTRAP]: bootstrap({ user: admin, customers: { count: 1, only: card('9') } }),
    [here]: listOf([person(2), person(3, { organizationId: '9', userType: 'CUSTOMER' })]),
    [`${M}/organizations/9/userInvitations`]: { page: page(0) }
  })
  await portal.findByText('Person 2')
  t.equal(portal.queryByRole('link', { name: 'Person 2' }), null)
  portal.getByRole('link', { name: 'Person 3' })
  t.equal(portal.queryByRole('button', { name: 'Actions for Person 2' }), null)
})

const outsiders = ['partner_user', 'customer_user', 'niagara_remote', 'nds_operator'] as const
for (const role of outsiders) {
  t.test(`a ${role} finds no users page`, async (t) => {
    const portal = openPortal(t, '/users', {
      ...answers,
      [BOOTSTRAP]: bootstrap({ user: user(role, '/organizations/1') })
    })
    await portal.findByRole('heading', { name: 'Page Not Found' })
    t.equal(portal.callsTo(USERS).length, 0)
  })
}
