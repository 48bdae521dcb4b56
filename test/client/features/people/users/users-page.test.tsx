import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor } from '@testing-library/react'
import t from 'tap'
import {
  type Call,
  CUSTOMERS,
  card,
  customersOf,
  pageOf,
  problem,
  user
} from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const MANAGEMENT = '/api/v2/management'
const USERS = `${MANAGEMENT}/organizations/1/allUsers`
const INVITATIONS = `${MANAGEMENT}/organizations/1/userInvitations`
const ROLES = `${MANAGEMENT}/roles`

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
  page: pageOf(5)
}
const listOf = (people: object[]) => (call: Call) => {
  const number = Number(call.query.get('page'))
  return {
    _embedded: { users: people.slice(number * 15, number * 15 + 15) },
    page: pageOf(people.length, number, 15)
  }
}
const people = Array.from({ length: 20 }, (_, index) => person(index + 1))
const answers = {
  [USERS]: listOf(people),
  [INVITATIONS]: { page: pageOf(0) },
  [ROLES]: roles,
  [CUSTOMERS]: customersOf('9', '10')
}
const queryOf = (portal: Portal, path: string) => Object.fromEntries(portal.callsTo(path).at(-1)?.query ?? [])

t.test('shows an error with “Refresh” when users cannot be loaded', async (t) => {
  const portal = openPortal(t, '/users', { ...answers, [USERS]: problem(504) })
  await portal.findByRole('heading', { name: 'Network Connectivity Failed' })
  portal.gateway.answers[USERS] = listOf(people)
  const [, refreshButton] = portal.getAllByRole('button', { name: 'Refresh' })
  fireEvent.click(refreshButton as HTMLElement)
  await portal.findByText('Person 1')
})

t.test('an empty list suggests adding the first user', async (t) => {
  const portal = openPortal(t, '/users', { ...answers, [USERS]: { page: pageOf(0) } })
  await portal.findByRole('heading', { name: 'No users yet. Add the first user.' })
})

t.test('fetches 15 users per page, sorted by full name', async (t) => {
  const portal = openPortal(t, '/users', answers)
  await portal.findByText('Person 1')
  t.strictSame(queryOf(portal, USERS), { sort: 'fullName,asc', page: '0', size: '15' })
  fireEvent.click(portal.getByRole('button', { name: 'E-mail' }))
  await waitFor(() => assert.equal(queryOf(portal, USERS).sort, 'email,asc'))
})

t.test('sends role filters as role numbers', async (t) => {
  const portal = openPortal(t, '/users?role=partner_admin,customer_user&type=CUSTOMER&customer=9', answers)
  await portal.findByText('Person 1')
  const { query } = portal.callsTo(USERS).at(-1) as Call
  t.strictSame(query.getAll('role'), ['2', '5'])
  t.match(Object.fromEntries(query), { userType: 'CUSTOMER', customerId: '9' })
})

t.test('marks an unknown role', async (t) => {
  const unknownUser = person(1, {
    roleAssignments: [
      { id: 'ra', scope: '/organizations/1', roleName: 'mystery', _links: { role: { href: '/roles/42' } } }
    ]
  })
  const portal = openPortal(t, '/users', { ...answers, [USERS]: listOf([unknownUser]) })
  await portal.findByText('Unknown: mystery')
})

t.test('an invitation with custom access lists its customers', async (t) => {
  const roleAt = (customerId: string, roleName: string) => ({
    id: `ra-${customerId}-${roleName}`,
    scope: customerId ? `/organizations/1/customers/${customerId}` : '/organizations/1',
    roleName
  })
  const roleAssignments = [roleAt('', 'custom'), roleAt('9', 'customer_user'), roleAt('10', 'customer_admin')]
  const invitation = {
    id: 'i-1',
    email: 'a@b.example',
    status: 'PENDING',
    customerName: null,
    roleAssignments
  }
  const portal = openPortal(t, '/users?tab=invitations', {
    ...answers,
    [INVITATIONS]: { _embedded: { userInvitations: [invitation] }, page: pageOf(1) }
  })
  await portal.findByText('a@b.example')
  await portal.findByText('Customer 9, Customer 10')
})

t.test('marks the person’s own row, whose access they cannot remove', async (t) => {
  const portal = openPortal(t, '/users', { ...answers, [USERS]: listOf([person(1)]) })
  await portal.findByText('You')
  fireEvent.click(portal.getByRole('button', { name: 'Actions for Person 1' }))
  t.match(portal.getByRole('menuitem', { name: /Remove access/ }).textContent, /your own access/)
})

t.test('does not link users that the person may not view', async (t) => {
  const fields = { userType: 'CUSTOMER', organizationId: '9' } as const
  const admin = user('customer_admin', '/organizations/1/customers/9', fields)
  const replies = {
    ...answers,
    [`${MANAGEMENT}/organizations/9/allUsers`]: listOf([person(2), person(3, fields)]),
    [`${MANAGEMENT}/organizations/9/userInvitations`]: { page: pageOf(0) }
  }
  const portal = openPortal(t, '/users', replies, { user: admin, customers: { count: 1, only: card('9') } })
  await portal.findByText('Person 2')
  t.equal(portal.queryByRole('link', { name: 'Person 2' }), null)
  portal.getByRole('link', { name: 'Person 3' })
  t.equal(portal.queryByRole('button', { name: 'Actions for Person 2' }), null)
})

for (const role of ['partner_user', 'customer_user', 'niagara_remote', 'nds_operator'] as const) {
  t.test(`${role} has no users page`, async (t) => {
    const portal = openPortal(t, '/users', answers, { user: user(role, '/organizations/1') })
    await portal.findByRole('heading', { name: 'Page Not Found' })
    t.equal(portal.callsTo(USERS).length, 0)
  })
}
