import '../../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { MANAGEMENT } from '../../../../../support/client/customer.ts'
import { problem } from '../../../../../support/client/gateway.ts'
import { chooseAction } from '../../../../../support/client/gestures.ts'
import { openPortal } from '../../../../../support/client/portal.tsx'
import { inDays, invitationRecord } from '../../../../../support/client/records.ts'
import { INVITATIONS, invitationsOf, PEOPLE, roleRecord } from '../../../../../support/client/users.ts'

const HERE = '/users?tab=invitations'
const INVITATION = `${MANAGEMENT}/userInvitations/i-1`
const invitation = (rest: object = {}) =>
  invitationRecord(1, { email: 'j.mensah@northwind.example', ...rest })

t.test('lists the customers of an invitation with custom access', async (t) => {
  const roleAssignments = [
    roleRecord('ra-1', 'custom'),
    roleRecord('ra-2', 'customer_user', '/organizations/1/customers/9'),
    roleRecord('ra-3', 'customer_admin', '/organizations/1/customers/10')
  ]
  const list = invitationsOf([invitation({ roleAssignments })])
  const portal = openPortal(t, HERE, { ...PEOPLE, [INVITATIONS]: list })
  await portal.findByText('j.mensah@northwind.example')
  await portal.findByText('Customer 9, Customer 10')
  t.pass()
})

t.test('the expiry of an invitation is red up to 7 days, and orange up to 30', async (t) => {
  const days = [7, 8, 30, 31]
  const list = invitationsOf(days.map((left) => invitationRecord(left, { expiresDate: inDays(left) })))
  const portal = openPortal(t, HERE, { ...PEOPLE, [INVITATIONS]: list })
  await portal.findByText('in 7 days')
  t.strictSame(
    days.map((left) => portal.getByText(`in ${left} days`).className),
    ['badge danger', 'badge warn', 'badge warn', 'badge plain']
  )
})

t.test('an expired invitation can be sent again', async (t) => {
  const expired = invitation({ status: 'EXPIRED', expiresDate: inDays(-1) })
  const portal = openPortal(t, HERE, {
    ...PEOPLE,
    [INVITATIONS]: invitationsOf([expired]),
    [`${MANAGEMENT}/userInvitation/i-1/resend`]: () => {
      portal.gateway.answers[INVITATIONS] = invitationsOf([invitation({ expiresDate: inDays(14) })])
      return {}
    }
  })
  await portal.findByText('Expired')
  await chooseAction(portal, 'j.mensah@northwind.example', 'Resend')
  await portal.findByText('Invitation sent to j.mensah@northwind.example.')
  await portal.findByText('in 14 days')
  t.notOk(portal.queryByText('Expired'))
})

t.test('an invitation can be withdrawn', async (t) => {
  const portal = openPortal(t, HERE, {
    ...PEOPLE,
    [INVITATIONS]: invitationsOf([invitation()]),
    [INVITATION]: () => {
      portal.gateway.answers[INVITATIONS] = invitationsOf([])
      return new Response(null, { status: 204 })
    }
  })
  await chooseAction(portal, 'j.mensah@northwind.example', 'Withdraw invitation')
  const question = within(portal.getByRole('alertdialog', { name: 'Withdraw the invitation?' }))
  fireEvent.click(question.getByRole('button', { name: 'Withdraw invitation' }))
  await portal.findByText('Invitation to j.mensah@northwind.example withdrawn.')
  await portal.findByRole('heading', { name: 'No pending invitations' })
  t.equal(portal.callsTo(INVITATION)[0]?.method, 'DELETE')
})

t.test('an invitation whose answer is lost may have been withdrawn', async (t) => {
  const portal = openPortal(t, HERE, {
    ...PEOPLE,
    [INVITATIONS]: invitationsOf([invitation()]),
    [INVITATION]: problem(504)
  })
  await chooseAction(portal, 'j.mensah@northwind.example', 'Withdraw invitation')
  const question = within(portal.getByRole('alertdialog', { name: 'Withdraw the invitation?' }))
  const reads = portal.callsTo(INVITATIONS).length
  fireEvent.click(question.getByRole('button', { name: 'Withdraw invitation' }))
  t.match((await question.findByRole('alert')).textContent, /The change may have been made anyway\.$/)
  await waitFor(() => assert.equal(portal.callsTo(INVITATIONS).length, reads + 1))
})
