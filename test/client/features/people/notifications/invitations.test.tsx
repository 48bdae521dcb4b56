import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { promptStore } from '#client/features/people/notifications/invitations/api.ts'
import { type Answer, problem, user } from '../../../../support/client/gateway.ts'
import { openPortal } from '../../../../support/client/portal.tsx'

const INVITATIONS = '/api/v2/management/myUser/userInvitations'
const accept = (id: string) => `/api/v2/management/userInvitation/${id}/accept`
const reject = (id: string) => `/api/v2/management/userInvitation/${id}/reject`
const resetPrompt = () => promptStore.setState(promptStore.getInitialState())

t.afterEach(resetPrompt)

const invitation = (id: string, rest: object = {}) => ({
  id,
  partnerName: 'Brightwater Controls',
  customerName: 'Northwind',
  expiresDate: '2026-04-01T00:00:00Z',
  status: 'PENDING',
  roleAssignments: [{ roleName: 'ncp_customer_user' }],
  ...rest
})
const answersOf = (...userInvitations: object[]) => ({ [INVITATIONS]: { _embedded: { userInvitations } } })
const invitations = answersOf(invitation('i-1'), invitation('i-2', { customerName: 'Harbor' }))

t.test('shows no prompt without a pending invitation, or when invitations cannot be loaded', async (t) => {
  for (const answer of [
    {},
    problem(500),
    { _embedded: { userInvitations: [invitation('i-1', { status: 'EXPIRED' })] } }
  ]) {
    const portal = openPortal(t, '/', { [INVITATIONS]: answer })
    await waitFor(() => assert.ok(portal.callsTo(INVITATIONS).length > 0))
    await portal.findByText('Customer 9')
    t.notOk(portal.queryByText('You are invited'))
    portal.unmount()
  }
})

t.test('shows the first invitation with integrator, customer and role', async (t) => {
  const portal = openPortal(t, '/', invitations)
  const dialog = await portal.findByRole('dialog', { name: 'You are invited' })
  t.match(dialog.textContent, /Invitation 1 of 2.*Brightwater Controls invites you to Northwind/)
  t.match(dialog.textContent, /as Customer user.*until 01-Apr-2026/)
})

for (const [button, path] of [
  ['Accept', accept('i-1')],
  ['Decline', reject('i-1')]
] as const)
  t.test(`“${button}” answers the invitation and reloads the portal`, async (t) => {
    const portal = openPortal(t, '/', { ...answersOf(invitation('i-1')), [path]: {} })
    fireEvent.click(await portal.findByRole('button', { name: button }))
    await waitFor(() => assert.deepEqual(portal.left, ['reload']))
    t.equal(portal.callsTo(path)[0]?.method, 'POST')
  })

for (const action of ['Later', 'Escape'])
  t.test(`${action} postpones the invitations until the next load`, async (t) => {
    const portal = openPortal(t, '/', invitations)
    const dialog = await portal.findByRole('dialog', { name: 'You are invited' })
    if (action === 'Later') fireEvent.click(portal.getByRole('button', { name: action }))
    else fireEvent(dialog, new window.Event('cancel', { cancelable: true }))
    t.notOk(portal.queryByRole('dialog'))
    await portal.router.navigate('/?q=x')
    t.notOk(portal.queryByRole('dialog'))
    portal.unmount()
    resetPrompt()
    const nextVisit = openPortal(t, '/', answersOf(invitation('i-1')))
    await nextVisit.findByRole('dialog', { name: 'You are invited' })
  })

t.test('the bell lists an invitation until it is answered', async (t) => {
  const portal = openPortal(t, '/', answersOf(invitation('i-1')))
  fireEvent.click(await portal.findByRole('button', { name: 'Later' }))
  const bell = await portal.findByRole('button', { name: 'Notifications, 1 unread' })
  fireEvent.click(bell)
  const list = within(await portal.findByRole('list', { name: 'Invitations' }))
  list.getByText('Northwind')
  const markButton = portal.getByRole('button', { name: 'Mark all as read' })
  t.equal(markButton.getAttribute('aria-disabled'), 'true', 'an invitation cannot be marked as read')
  fireEvent.click(list.getByRole('button', { name: /^Answer/ }))
  await portal.findByRole('dialog', { name: 'You are invited' })
  t.notOk(portal.queryByRole('dialog', { name: 'Notifications' }))
})

t.test('numbers the invitation that the bell opens', async (t) => {
  const portal = openPortal(t, '/', invitations)
  fireEvent.click(await portal.findByRole('button', { name: 'Later' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Notifications, 2 unread' }))
  const list = within(await portal.findByRole('list', { name: 'Invitations' }))
  fireEvent.click(list.getAllByRole('button', { name: /^Answer/ })[1] as HTMLElement)
  const dialog = await portal.findByRole('dialog', { name: 'You are invited' })
  t.match(dialog.textContent, /Invitation 2 of 2.*invites you to Harbor/)
})

const newPerson = { user: user(null, '', { userType: 'UNASSIGNED' }), customers: { count: 0, only: null } }

t.test('a person without a role sees only invitations, one by one', async (t) => {
  const failingReject = { [reject('i-1')]: problem(404, { code: 'notFound' }) }
  const portal = openPortal(t, '/', { ...invitations, ...failingReject }, newPerson)
  await portal.findByRole('heading', { level: 1, name: 'You are invited' })
  t.equal(portal.address(), '/errors/authorization')
  portal.getByText('Northwind')
  await portal.findByRole('button', { name: 'Notifications, 2 unread' })
  t.notOk(portal.queryByText('Access denied'))
  t.notOk(portal.queryByRole('dialog'))
  t.match(document.title, 'You are invited')
  fireEvent.click(portal.getByRole('button', { name: 'Decline' }))
  await portal.findByRole('heading', { level: 1, name: 'User Invitation not found' })
  fireEvent.click(portal.getByRole('button', { name: 'Close' }))
  await portal.findByText('Harbor')
})

for (const [what, answer] of [
  ['no invitation', {}],
  ['invitations that cannot be loaded', problem(503)]
] as [string, Answer][])
  t.test(`denies access to a person without a role who has ${what}`, async (t) => {
    const portal = openPortal(t, '/', { [INVITATIONS]: answer }, newPerson)
    await portal.findByRole('heading', { level: 1, name: 'Access denied' })
  })

t.test('an invitation can be answered on the “Access denied” page', async (t) => {
  const partnerUser = { user: user('partner_user', '/organizations/1') }
  const portal = openPortal(t, '/registerdevice', answersOf(invitation('i-1')), partnerUser)
  await portal.findByRole('heading', { level: 1, name: 'Access denied' })
  fireEvent.click(await portal.findByRole('button', { name: 'Later' }))
  fireEvent.click(portal.getByRole('button', { name: 'Answer' }))
  await portal.findByRole('dialog', { name: 'You are invited' })
})

t.test('accepting an invitation gives access to a person without a role', async (t) => {
  const portal = openPortal(t, '/', { ...answersOf(invitation('i-1')), [accept('i-1')]: {} }, newPerson)
  fireEvent.click(await portal.findByRole('button', { name: 'Accept' }))
  await waitFor(() => assert.deepEqual(portal.left, ['/']))
})

t.test('reports a deleted invitation and shows the next one', async (t) => {
  const portal = openPortal(t, '/', { ...invitations, [accept('i-1')]: problem(404, { code: 'notFound' }) })
  fireEvent.click(await portal.findByRole('button', { name: 'Accept' }))
  await portal.findByRole('heading', { name: 'User Invitation not found' })
  portal.getByText("We couldn't find an invitation associated with this user.")
  fireEvent.click(portal.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  await portal.findByText('Harbor')
})

t.test('shows in the prompt that an answer failed', async (t) => {
  for (const answer of [problem(503), problem(410, { code: 'expired' }), problem(404)]) {
    const portal = openPortal(t, '/', { ...answersOf(invitation('i-1')), [accept('i-1')]: answer })
    fireEvent.click(await portal.findByRole('button', { name: 'Accept' }))
    await portal.findByText("We couldn't process your request, try again later.")
    portal.getByRole('button', { name: 'Decline' })
    t.same(portal.left, [])
    portal.unmount()
  }
})
