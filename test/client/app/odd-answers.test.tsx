import '../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor } from '@testing-library/react'
import t from 'tap'
import { type Answer, BOOTSTRAP } from '../../support/client/gateway.ts'
import { openPortal } from '../../support/client/portal.tsx'

const INVITATIONS = '/api/v2/management/myUser/userInvitations'
const UNREAD = '/api/v1/notifier/users/u-1/inapp'
const SESSION = '/auth/session'
const ORGANIZATION = '/api/v2/management/organizations/1'

const invited = (...userInvitations: unknown[]) => ({ _embedded: { userInvitations } })
const odd: [path: string, what: string, answer: Answer][] = [
  [INVITATIONS, 'nothing', null],
  [INVITATIONS, 'a word', 'none'],
  [INVITATIONS, 'an invalid list', { _embedded: { userInvitations: 'none' } }],
  [INVITATIONS, 'invalid invitations', invited(null, 7, 'i-1', {})],
  [UNREAD, 'nothing', null],
  [UNREAD, 'a word', 'none'],
  [UNREAD, 'an invalid count', { page: { totalElements: 'many' } }],
  [SESSION, 'nothing', null],
  [SESSION, 'an invalid time', { authenticated: true, expires_in: 'soon' }],
  [ORGANIZATION, 'nothing', null],
  [ORGANIZATION, 'a word', 'on']
]
for (const [path, what, answer] of odd) {
  t.test(`the portal works although ${path} answers ${what}`, async (t) => {
    const portal = openPortal(t, '/', { [path]: answer })
    await portal.findByText('Customer 9')
    await waitFor(() => assert.ok(portal.callsTo(path).length > 0))
    await portal.findByRole('button', { name: /^Notifications/ })
    await portal.findByRole('switch', { name: 'Tech support access' })
    t.ok(portal.getByRole('heading', { level: 1, name: 'Brightwater Controls' }))
    t.equal(portal.queryByRole('dialog'), null)
    t.equal(portal.queryByRole('alertdialog'), null)
  })
}

t.test('shows an incomplete invitation, and ignores invalid ones', async (t) => {
  const strange = {
    id: 'i-1',
    partnerName: { x: 1 },
    customerName: 7,
    expiresDate: 'someday',
    roleAssignments: 'all'
  }
  const portal = openPortal(t, '/', { [INVITATIONS]: invited(null, strange) })
  const dialog = await portal.findByRole('dialog', { name: 'You are invited' })
  t.match(dialog.textContent, /An integrator invites you to its own organization\./)
  fireEvent.click(portal.getByRole('button', { name: 'Later' }))
  await portal.findByText('Customer 9')
})

for (const [what, answer] of [
  ['is empty', {}],
  ['is nothing', null],
  ['is a word', 'welcome']
] as const) {
  t.test(`shows an error if the bootstrap ${what}, and Refresh reloads the page`, async (t) => {
    // The router prints errors of a screen.
    t.intercept(console, 'error', { value: () => {} })
    const portal = openPortal(t, '/', { [BOOTSTRAP]: answer })
    await portal.findByRole('heading', { level: 1, name: 'Portal could not start' })
    fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
    t.same(portal.left, ['reload'])
  })
}
