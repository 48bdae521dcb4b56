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

const invitationsOf = (...userInvitations: unknown[]) => ({ _embedded: { userInvitations } })
const INVALID: [what: string, answers: Record<string, Answer>][] = [
  ['null', { [INVITATIONS]: null, [UNREAD]: null, [SESSION]: null, [ORGANIZATION]: null }],
  ['a string', { [INVITATIONS]: 'none', [UNREAD]: 'none', [ORGANIZATION]: 'on' }],
  [
    'a field of another type',
    {
      [INVITATIONS]: { _embedded: { userInvitations: 'none' } },
      [UNREAD]: { page: { totalElements: 'many' } },
      [SESSION]: { authenticated: true, expires_in: 'soon' }
    }
  ],
  ['entries of another type', { [INVITATIONS]: invitationsOf(null, 7, 'i-1', {}) }]
]
for (const [what, answers] of INVALID) {
  t.test(`the portal works although calls of its frame answer ${what}`, async (t) => {
    const portal = openPortal(t, '/', answers)
    await portal.findByText('Customer 9')
    for (const path of Object.keys(answers)) await waitFor(() => assert.ok(portal.callsTo(path).length > 0))
    await portal.findByRole('button', { name: /^Notifications/ })
    await portal.findByRole('switch', { name: 'Tech support access' })
    t.ok(portal.getByRole('heading', { level: 1, name: 'Brightwater Controls' }))
    t.notOk(portal.queryByRole('dialog'))
    t.notOk(portal.queryByRole('alertdialog'))
  })
}

t.test('shows an incomplete invitation and ignores invalid invitations', async (t) => {
  const invitation = {
    id: 'i-1',
    partnerName: { x: 1 },
    customerName: 7,
    expiresDate: 'someday',
    roleAssignments: 'all'
  }
  const portal = openPortal(t, '/', { [INVITATIONS]: invitationsOf(null, invitation) })
  const dialog = await portal.findByRole('dialog', { name: 'You are invited' })
  t.match(dialog.textContent, /An integrator invites you to its own organization\./)
  fireEvent.click(portal.getByRole('button', { name: 'Later' }))
  await portal.findByText('Customer 9')
})

for (const [what, answer] of [
  ['is empty', {}],
  ['is null', null],
  ['is a string', 'welcome']
] as const) {
  t.test(`shows an error if the bootstrap ${what}; “Refresh” reloads the page`, async (t) => {
    // The router logs errors that a screen throws.
    t.intercept(console, 'error', { value: () => {} })
    const portal = openPortal(t, '/', { [BOOTSTRAP]: answer })
    await portal.findByRole('heading', { level: 1, name: 'Portal could not start' })
    fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
    t.same(portal.left, ['reload'])
  })
}
