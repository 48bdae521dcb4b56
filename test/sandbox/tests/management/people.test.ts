import t from 'tap'
import { startSandbox } from '../../app.ts'
import { NOTABLE } from '../../seed.ts'
import { callAs } from '../call-as.ts'

const DAY_MS = 86_400_000
let now = Date.parse('2026-03-14T12:00:00Z')
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
const { state } = sandbox
const admin = await callAs(sandbox, 'partner.admin')
const AT_PARTNER = `/organizations/${NOTABLE.partner}`
const AT_NORTHWIND = `${AT_PARTNER}/customers/${NOTABLE.northwind}`

interface Listed {
  id: string
  fullName: string
  organizationId: string
  userType: string
  roleAssignments: { roleName: string; scope: string }[]
}

async function users(path: string): Promise<Listed[]> {
  const { body } = await admin('GET', `${path}${path.includes('?') ? '&' : '?'}size=1000`)
  return body._embedded?.users ?? []
}

t.test('the caller is told who it is and what it holds', async (t) => {
  t.match((await admin('GET', '/myUser')).body, {
    id: 'u-partner-admin',
    organizationId: NOTABLE.partner,
    organizationName: 'Meridian Building Controls',
    fullName: 'Paula Andersson',
    userType: 'PARTNER',
    roleAssignments: [
      { id: /./, scope: AT_PARTNER, roleName: 'partner_admin', _links: { role: { href: '/roles/2' } } }
    ]
  })
  const { body } = await admin('GET', '/roles')
  t.same(body._embedded.roles[0], {
    roleNumber: 1,
    name: 'global_admin',
    _links: { self: { href: '/roles/1' } }
  })
})

t.test('users are listed 15 a page by full name, and found by keyword', async (t) => {
  const { body } = await admin('GET', '/users?page=0&size=15&sort=fullName,asc')
  const names = body._embedded.users.map((one: Listed) => one.fullName.toLowerCase())
  t.equal(names.length, 15)
  t.same(names, [...names].sort())
  const found = await users('/users/search/findByKeyword?keyword=andersson')
  t.same(
    found.map((one) => one.id),
    ['u-partner-admin']
  )
  t.notOk(
    (await users('/users')).some((one) => one.id === 'internal-service'),
    'services are no people'
  )
})

t.test('an organization lists its own users, or those below it too', async (t) => {
  const own = await users(`${AT_PARTNER}/users`)
  const below = await users(`${AT_PARTNER}/allUsers`)
  t.ok(own.every((one) => one.organizationId === NOTABLE.partner))
  t.ok(below.length > own.length)
  t.notOk(below.some((one) => one.organizationId === NOTABLE.partnerWithoutTechView))
  const northwind = await users(`/organizations/${NOTABLE.northwind}/users`)
  t.ok(northwind.some((one) => one.id === 'u-customer-admin'))
  const multi = await users(`/organizations/${NOTABLE.multi[2]}/users`)
  t.ok(
    multi.some((one) => one.id === 'u-customer-multi'),
    'who is assigned there belongs there'
  )
})

t.test('lists are filtered by role, type and customer', async (t) => {
  const admins = await users(`${AT_PARTNER}/allUsers?role=2`)
  t.ok(admins.length > 1)
  t.ok(admins.every((one) => one.roleAssignments.some((held) => held.roleName.includes('partner_admin'))))
  t.ok((await users(`${AT_PARTNER}/allUsers?userType=CUSTOMER`)).every((one) => one.userType === 'CUSTOMER'))
  const at = await users(`${AT_PARTNER}/allUsers?customerId=${NOTABLE.custom[1]}`)
  const ids = at.map((one) => one.id)
  t.ok(ids.includes('u-custom-user'))
  t.ok(ids.includes('u-partner-admin'), 'access to all customers is access to each')
  t.notOk(ids.includes('u-customer-admin'), 'who works for another customer')
})

t.test('role assignments are created, updated and deleted in one call', async (t) => {
  const path = '/users/u-partner-user/roleAssignments'
  const created = await admin('PATCH', path, { create: [{ role: '/roles/4', scope: AT_NORTHWIND }] })
  t.equal(created.status, 200)
  const [first, second] = created.body.roleAssignments
  const changed = await admin('PATCH', path, {
    update: [{ id: second.id, role: '/roles/5', scope: AT_NORTHWIND }],
    delete: [first.id]
  })
  t.match(changed.body.roleAssignments, [{ id: second.id, roleName: 'customer_user', scope: AT_NORTHWIND }])
  t.equal(changed.body.roleAssignments.length, 1)
  t.equal(state.audit.at(-1)?.action, 'ROLES_CHANGED')
})

t.test('role changes that name what does not exist change nothing', async (t) => {
  const path = '/users/u-customer-user/roleAssignments'
  const before = state.users.get('u-customer-user')?.roleAssignments
  const cases: [number, unknown][] = [
    [400, { create: [{ role: '/roles/99', scope: '/' }] }],
    [400, { create: [{ role: '/roles/5', scope: '/organizations/none' }] }],
    [400, { create: [{ role: '/roles/5', scope: `/organizations/200/customers/${NOTABLE.northwind}` }] }],
    [404, { delete: ['none'] }],
    [404, { update: [{ id: 'none', role: '/roles/5', scope: '/' }] }]
  ]
  for (const [status, body] of cases)
    t.equal((await admin('PATCH', path, body)).status, status, JSON.stringify(body))
  t.equal(state.users.get('u-customer-user')?.roleAssignments, before)
})

t.test('the invited user sees two invitations, rejects one and joins by the other', async (t) => {
  const invited = await callAs(sandbox, 'invited.user')
  const list = async () =>
    (await invited('GET', '/myUser/userInvitations')).body._embedded?.userInvitations ?? []
  const [first, second] = await list()
  t.match(first, {
    partnerName: 'Meridian Building Controls',
    customerName: 'Northwind Hospitals',
    status: 'PENDING'
  })
  t.match(second, { partnerName: 'Meridian Building Controls', customerName: null })
  t.equal((await admin('POST', `/userInvitation/${first.id}/accept`)).status, 404, 'not for somebody else')
  t.equal((await invited('POST', `/userInvitation/${second.id}/reject`)).status, 204)
  t.equal((await invited('POST', `/userInvitation/${first.id}/accept`)).status, 204)
  t.equal((await list()).length, 0)
  t.match((await invited('GET', '/myUser')).body, {
    userType: 'CUSTOMER',
    organizationId: NOTABLE.northwind,
    roleAssignments: [{ scope: AT_NORTHWIND, roleName: 'customer_user' }]
  })
  const again = await invited('POST', `/userInvitation/${first.id}/accept`)
  t.match(again, { status: 404, body: { errors: [{ code: 'notFound' }] } })
})

t.test('an invitation is sent, resent, and withdrawn', async (t) => {
  const invitation = {
    email: 'new.person@northwind.example',
    message: 'Welcome',
    partner: AT_PARTNER,
    customer: `/organizations/${NOTABLE.northwind}`,
    roleAssignments: [{ role: '/roles/5', scope: AT_NORTHWIND }]
  }
  const sent = await admin('POST', '/userInvitations', invitation)
  t.match(sent, {
    status: 201,
    body: { email: invitation.email, status: 'PENDING', invitedBy: 'u-partner-admin' }
  })
  now += 13 * DAY_MS
  t.equal((await admin('POST', `/userInvitation/${sent.body.id}/resend`)).status, 204)
  now += 13 * DAY_MS
  const list = await admin('GET', `/organizations/${NOTABLE.northwind}/userInvitations?size=100`)
  const listed = list.body._embedded.userInvitations.find((one: { id: string }) => one.id === sent.body.id)
  t.equal(listed.status, 'PENDING', 'the time runs from the last sending')
  t.equal((await admin('DELETE', `/userInvitations/${sent.body.id}`)).status, 204)
  t.match(await admin('DELETE', `/userInvitations/${sent.body.id}`), {
    status: 404,
    body: { errors: [{ code: 'notFound' }] }
  })
  const bad = await admin('POST', '/userInvitations', { ...invitation, email: 'nobody' })
  t.match(bad, { status: 400, body: { errors: [{ field: 'email' }] } })
})

t.test('an expired invitation cannot be accepted', async (t) => {
  const person = await callAs(sandbox, 'no.access')
  const sent = await admin('POST', '/userInvitations', {
    email: 'no.access@portal.example',
    partner: AT_PARTNER,
    customer: null,
    roleAssignments: [{ role: '/roles/3', scope: AT_PARTNER }]
  })
  now += 15 * DAY_MS
  const answer = await person('POST', `/userInvitation/${sent.body.id}/accept`)
  t.match(answer, { status: 410, body: { errors: [{ code: 'expired' }] } })
})
