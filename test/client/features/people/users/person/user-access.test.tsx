import '../../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { MANAGEMENT } from '../../../../../support/client/customer.ts'
import { textsOf } from '../../../../../support/client/dom.ts'
import { CUSTOMERS, card, pageOf, user } from '../../../../../support/client/gateway.ts'
import { openPortal } from '../../../../../support/client/portal.tsx'
import { PEOPLE, roleRecord, USERS, userRecord, usersOf } from '../../../../../support/client/users.ts'

const USER = `${MANAGEMENT}/users/u-2`
const ROLE_ASSIGNMENTS = `${USER}/roleAssignments`
const CUSTOMER_SCOPES = ['/organizations/1/customers/9', '/organizations/1/customers/10'] as const

const answersFor = (...roleAssignments: object[]) => ({
  ...PEOPLE,
  [USER]: userRecord(2, { roleAssignments }),
  [ROLE_ASSIGNMENTS]: { roleAssignments: [] },
  [`${MANAGEMENT}/organizations/1`]: { id: '1', orgName: 'Brightwater Controls' }
})

t.test('changes access as listed in the confirmation', async (t) => {
  const roles = [
    roleRecord('ra-1', 'custom'),
    roleRecord('ra-2', 'customer_admin', CUSTOMER_SCOPES[0]),
    roleRecord('ra-3', 'customer_user', CUSTOMER_SCOPES[1])
  ]
  const soleAdmins = {
    [`${MANAGEMENT}/organizations/9/allUsers`]: usersOf([
      userRecord(3, { roleAssignments: [roleRecord('ra-4', 'customer_admin', CUSTOMER_SCOPES[0])] })
    ])
  }
  const portal = openPortal(t, '/users/u-2', { ...answersFor(...roles), ...soleAdmins })
  fireEvent.click(await portal.findByRole('button', { name: 'Manage access' }))
  fireEvent.click(await portal.findByRole('radio', { name: 'Standard' }))
  fireEvent.click(await portal.findByRole('checkbox', { name: /NDS operator/ }))
  fireEvent.click(portal.getByRole('button', { name: 'Save…' }))
  const dialog = within(await portal.findByRole('alertdialog', { name: '5 changes for Person 2' }))
  t.strictSame(textsOf(dialog.getAllByRole('listitem')), [
    '−Remove Custom at all customers',
    '+Add NDS operator at all customers',
    '+Add Partner user at all customers',
    '−Remove Customer user at Customer 10 Replaced by NDS operator at all customers (narrower scope)',
    '−Remove Customer admin at Customer 9 Replaced by NDS operator at all customers (narrower scope)'
  ])
  fireEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
  await portal.findByText('Access of Person 2 changed.')
  const [call] = portal.callsTo(ROLE_ASSIGNMENTS)
  t.equal(call?.method, 'PATCH')
  t.strictSame(call?.body, {
    create: [{ role: '/roles/7', scope: '/organizations/1' }],
    update: [{ id: 'ra-1', role: '/roles/3', scope: '/organizations/1' }],
    delete: ['ra-2', 'ra-3']
  })
})

t.test('copies the access of another user into the form', async (t) => {
  const portal = openPortal(t, '/users/u-2?edit=1', {
    ...answersFor(roleRecord('ra-1', 'nds_operator')),
    [USERS]: usersOf([userRecord(2), userRecord(3), userRecord(4)])
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Copy access from…' }))
  const dialog = within(portal.getByRole('dialog', { name: 'Copy access from another user' }))
  t.notOk(dialog.queryByRole('radio', { name: /^Person 2/ }))
  fireEvent.change(dialog.getByRole('searchbox'), { target: { value: 'person.3' } })
  await waitFor(() => assert.equal(dialog.getAllByRole('radio').length, 1))
  fireEvent.click(dialog.getByRole('radio', { name: /^Person 3/ }))
  fireEvent.click(dialog.getByRole('button', { name: 'Copy' }))
  t.ok((portal.getByRole('checkbox', { name: /Partner user/ }) as HTMLInputElement).checked)
  t.equal(portal.callsTo(ROLE_ASSIGNMENTS).length, 0, 'does not save')

  fireEvent.click(portal.getByRole('button', { name: 'Save…' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Save changes' }))
  await portal.findByText('Access of Person 2 changed.')
  t.strictSame(portal.callsTo(ROLE_ASSIGNMENTS)[0]?.body, {
    create: [],
    update: [{ id: 'ra-1', role: '/roles/3', scope: '/organizations/1' }],
    delete: []
  })
})

t.test('says before saving that more than 100 changes cannot be saved at once', async (t) => {
  const items = Array.from({ length: 101 }, (_, index) => card(`c-${index}`))
  const portal = openPortal(t, '/users/u-2?edit=1', {
    ...answersFor(roleRecord('ra-1', 'custom')),
    [CUSTOMERS]: { items, page: pageOf(items.length, 0, 1000) }
  })
  fireEvent.click(await portal.findByRole('checkbox', { name: 'User for all 101 customers shown' }))
  await portal.findByText('At most 100 changes can be saved at once, not 101')
  const save = portal.getByRole('button', { name: 'Save…' })
  t.equal(save.getAttribute('aria-disabled'), 'true')
  fireEvent.click(portal.getByRole('checkbox', { name: 'User for Customer c-0' }))
  await waitFor(() => assert.equal(save.getAttribute('aria-disabled'), 'false'))
})

t.test('a role for all customers replaces more than 100 roles in one change', async (t) => {
  const roles = Array.from({ length: 101 }, (_, index) =>
    roleRecord(`ra-c-${index}`, 'customer_user', `/organizations/1/customers/c-${index}`)
  )
  const portal = openPortal(t, '/users/u-2?edit=1', answersFor(roleRecord('ra-1', 'custom'), ...roles))
  fireEvent.click(await portal.findByRole('radio', { name: 'Admin' }))
  fireEvent.click(portal.getByRole('button', { name: 'Save…' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Save changes' }))
  await portal.findByText('Access of Person 2 changed.')
  t.strictSame(portal.callsTo(ROLE_ASSIGNMENTS)[0]?.body, {
    create: [],
    update: [{ id: 'ra-1', role: '/roles/2', scope: '/organizations/1' }],
    delete: []
  })
})

t.test('“Back” shows the access that the person has, without unsaved changes', async (t) => {
  const portal = openPortal(t, '/users/u-2?edit=1', answersFor(roleRecord('ra-1', 'partner_user')))
  fireEvent.click(await portal.findByRole('radio', { name: 'Admin' }))
  fireEvent.click(portal.getByRole('button', { name: 'Back' }))
  await portal.findByRole('button', { name: 'Manage access' })
  t.match(portal.getByRole('region', { name: 'Access level' }).textContent, /Partner user$/)
})

t.test('the links of a global admin lead to the person’s integrator', async (t) => {
  localStorage.setItem('portal.integrator.u-1', '"2"')
  const organizations = [
    { id: '1', orgName: 'Brightwater Controls' },
    { id: '2', orgName: 'Harbor Systems' }
  ]
  const portal = openPortal(
    t,
    '/users/u-2',
    {
      ...answersFor(roleRecord('ra-1', 'partner_user')),
      [`${MANAGEMENT}/organizations/search/findByIsTechViewEnabled`]: { _embedded: { organizations } }
    },
    { user: user('global_admin', '/', { userType: 'INTERNAL', organizationId: null }) }
  )
  await portal.findByRole('link', { name: 'Harbor Systems' })
  const addressOf = async (name: string) => (await portal.findByRole('link', { name })).getAttribute('href')
  t.equal(await addressOf('View activity'), '/auditlog?actorId=u-2&actorName=Person+2&organizationId=1')
  t.equal(await addressOf('Users and Roles'), '/users?organizationId=1')
})
