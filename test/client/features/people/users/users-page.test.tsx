import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { MANAGEMENT } from '../../../../support/client/customer.ts'
import { textsOf } from '../../../../support/client/dom.ts'
import { type Call, card, pageOf, problem, user } from '../../../../support/client/gateway.ts'
import { chooseAction } from '../../../../support/client/gestures.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'
import {
  invitationsOf,
  PEOPLE,
  roleRecord,
  USERS,
  userRecord,
  usersOf
} from '../../../../support/client/users.ts'

const ROLES = `${MANAGEMENT}/roles`

const people = Array.from({ length: 20 }, (_, index) => userRecord(index + 1))
const answers = { ...PEOPLE, [USERS]: usersOf(people) }
const queryOf = (portal: Portal, path: string) => Object.fromEntries(portal.callsTo(path).at(-1)?.query ?? [])

t.test('fetches 15 users per page, sorted by full name', async (t) => {
  const portal = openPortal(t, '/users', answers)
  await portal.findByText('Person 1')
  t.strictSame(queryOf(portal, USERS), { sort: 'fullName,asc', page: '0', size: '15' })
  fireEvent.click(portal.getByRole('button', { name: 'Columns' }))
  fireEvent.click(portal.getByRole('checkbox', { name: 'E-mail' }))
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
  const unknownUser = userRecord(1, {
    roleAssignments: [
      { id: 'ra', scope: '/organizations/1', roleName: 'mystery', _links: { role: { href: '/roles/42' } } }
    ]
  })
  const portal = openPortal(t, '/users', { ...answers, [USERS]: usersOf([unknownUser]) })
  await portal.findByText('Unknown: mystery')
})

t.test('lists the roles that a removal of access ends, and removes them', async (t) => {
  const roleAssignments = [roleRecord('ra-1', 'niagara_remote'), roleRecord('ra-2', 'nds_operator')]
  const path = `${MANAGEMENT}/users/u-2/roleAssignments`
  const portal = openPortal(t, '/users', {
    ...answers,
    [USERS]: usersOf([userRecord(2, { roleAssignments })]),
    [path]: { roleAssignments: [] }
  })
  await chooseAction(portal, 'Person 2', 'Remove access')
  const dialog = within(portal.getByRole('alertdialog', { name: 'Remove the access of Person 2?' }))
  t.strictSame(textsOf(dialog.getAllByRole('listitem')), [
    '−Remove Niagara Remote at all customers',
    '−Remove NDS operator at all customers'
  ])
  await waitFor(() => assert.ok(portal.callsTo(ROLES).length > 0))
  fireEvent.click(dialog.getByRole('button', { name: 'Remove access' }))
  await portal.findByText('Access of Person 2 removed.')
  t.strictSame(portal.callsTo(path)[0]?.body, { create: [], update: [], delete: ['ra-1', 'ra-2'] })
})

t.test('marks the person’s own row, whose access they cannot remove', async (t) => {
  const portal = openPortal(t, '/users', { ...answers, [USERS]: usersOf([userRecord(1)]) })
  await portal.findByText('You')
  fireEvent.click(portal.getByRole('button', { name: 'Actions for Person 1' }))
  t.match(portal.getByRole('menuitem', { name: /Remove access/ }).textContent, /your own access/)
})

t.test('does not link users that the person may not view', async (t) => {
  const fields = { userType: 'CUSTOMER', organizationId: '9' } as const
  const admin = user('customer_admin', '/organizations/1/customers/9', fields)
  const replies = {
    ...answers,
    [`${MANAGEMENT}/organizations/9/allUsers`]: usersOf([userRecord(2), userRecord(3, fields)]),
    [`${MANAGEMENT}/organizations/9/userInvitations`]: invitationsOf([])
  }
  const portal = openPortal(t, '/users', replies, { user: admin, customers: { count: 1, only: card('9') } })
  await portal.findByText('Person 2')
  t.notOk(portal.queryByRole('link', { name: 'Person 2' }))
  portal.getByRole('link', { name: 'Person 3' })
  t.notOk(portal.queryByRole('button', { name: 'Actions for Person 2' }))
})

t.test('after a part of many roles is removed, “Remove access” lists and removes the others', async (t) => {
  const roleAssignments = Array.from({ length: 101 }, (_, index) =>
    roleRecord(`ra-${index}`, 'customer_user', `/organizations/1/customers/c-${index}`)
  )
  const path = `${MANAGEMENT}/users/u-2/roleAssignments`
  const portal = openPortal(t, '/users', {
    ...answers,
    [USERS]: usersOf([userRecord(2, { roleAssignments })]),
    [path]: () => (portal.callsTo(path).length === 2 ? problem(503) : { roleAssignments: [] })
  })
  await chooseAction(portal, 'Person 2', 'Remove access')
  const dialog = within(portal.getByRole('alertdialog', { name: 'Remove the access of Person 2?' }))
  t.equal(dialog.getAllByRole('listitem').length, 101)
  await waitFor(() => assert.ok(portal.callsTo(ROLES).length > 0))
  const reads = portal.callsTo(USERS).length
  fireEvent.click(dialog.getByRole('button', { name: 'Remove access' }))
  t.match((await dialog.findByRole('alert')).textContent, /The roles listed here were not removed\.$/)
  t.equal(dialog.getAllByRole('listitem').length, 1)
  await waitFor(() => assert.equal(portal.callsTo(USERS).length, reads + 1))
  fireEvent.click(dialog.getByRole('button', { name: 'Remove access' }))
  await portal.findByText('Access of Person 2 removed.')
  const removedIds = portal.callsTo(path).map(({ body }) => (body as { delete: string[] }).delete)
  const ids = roleAssignments.map(({ id }) => id)
  t.strictSame(removedIds, [ids.slice(0, 100), ids.slice(100), ids.slice(100)])
})

t.test('the links of a global admin name the integrator', async (t) => {
  const organizations = [
    { id: '1', orgName: 'Brightwater Controls' },
    { id: '2', orgName: 'Harbor Systems' }
  ]
  const portal = openPortal(
    t,
    '/users?organizationId=1',
    {
      ...answers,
      [`${MANAGEMENT}/organizations/search/findByIsTechViewEnabled`]: { _embedded: { organizations } },
      [`${MANAGEMENT}/organizations/1/auditLogs`]: { page: pageOf(0) },
      [`${MANAGEMENT}/organizations/1/auditLogs/search/actions`]: {}
    },
    { user: user('global_admin', '/', { userType: 'INTERNAL', organizationId: null }) }
  )
  const link = await portal.findByRole('link', { name: 'Add user' })
  t.equal(link.getAttribute('href'), '/users/adduser?organizationId=1')
  await chooseAction(portal, 'Person 2', 'View activity')
  await portal.findByRole('heading', { level: 1, name: 'Audit Log' })
  t.equal(portal.address(), '/auditlog?actorId=u-2&actorName=Person+2&organizationId=1')
})
